//! Traces: the steps of agents, models and tools, which OpenTelemetry, LangSmith and Langfuse log one by one, in any order.

use std::collections::{HashMap, HashSet, VecDeque};
use std::iter::successors;
use std::mem::take;

use serde_json::{Value, json};

use crate::import::conversation::Turn;

use super::{Conversation, messages};

/// A step of a trace: a span, a run, an observation.
#[derive(Default)]
pub(super) struct Step {
    pub(super) trace: String,
    /// What several traces of one conversation have in common; empty if it is not known. Another step of the trace may have it.
    pub(super) session: String,
    pub(super) id: String,
    /// The id of the step that contains this one.
    pub(super) parent: String,
    /// When it begins and ends, as `time()` writes it.
    pub(super) start: String,
    pub(super) end: String,
    pub(super) kind: Kind,
    /// Why it failed.
    pub(super) error: Option<Value>,
    /// The messages that go in and come out. Each step of a model repeats those of the steps before it.
    pub(super) said: Conversation,
    /// How many turns of `said` go in.
    pub(super) inputs: usize,
}

/// What a step is.
#[derive(Default)]
pub(super) enum Kind {
    /// A whole answer, with all its calls.
    Agent,
    /// A call of a model.
    Model,
    /// A call of a tool. The id is that of the call in the answer of the model; empty if it is not known.
    Tool { call: String, tool: String, input: Value, output: Option<Value> },
    #[default]
    Other,
}

impl Kind {
    /// A call of a tool. An `output` of `null` is none.
    pub(super) fn tool(call: &str, tool: &str, input: &Value, output: &Value) -> Kind {
        let output = Some(output.clone()).filter(|output| !output.is_null());
        Kind::Tool { call: call.to_owned(), tool: tool.to_owned(), input: input.clone(), output }
    }
}

impl Step {
    /// Reads the messages that go in and come out of an agent or a model, and why it failed.
    pub(super) fn exchange(mut self, input: &Value, output: &Value) -> Step {
        if matches!(self.kind, Kind::Agent | Kind::Model) {
            let mut out = Conversation::default();
            say(&mut self.said, input, "user");
            say(&mut out, output, "assistant");
            self.inputs = self.said.turns.len();
            // What comes out may be all that is said so far.
            let asked = self.said.turns.iter().rfind(|turn| is_question(turn));
            if asked.is_some_and(|asked| out.turns.contains(asked)) {
                (self.said.turns, self.inputs) = (Vec::new(), 0);
            }
            self.said.turns.append(&mut out.turns);
            self.said.fault = out.fault.or(self.said.fault.take());
            self.said.unread = self.said.unread.take().or(out.unread);
            messages::failed(&mut self.said, self.error.as_ref().unwrap_or(&Value::Null));
        }
        self
    }

    /// What the user asks last.
    fn question(&self) -> Option<&str> {
        self.said.turns.iter().rev().find_map(|turn| if let Turn::User(text) = turn { Some(&**text) } else { None })
    }
}

/// The place in the known questions from which on a step repeats them: it has all that is asked before it, or the last questions. The
/// questions of its trace begin at `first`.
fn repeated(known: &[Turn], asked: &[Turn], first: usize) -> Option<usize> {
    // A step of another trace may ask the same question again.
    let least = if asked.len() == 1 && known.len() <= first { 2 } else { 1 };
    let counts = [known.len(), asked.len(), asked.len() - 1].into_iter();
    let counts = counts.filter(|count| (least..=known.len().min(asked.len())).contains(count));
    counts.map(|count| known.len() - count).find(|from| asked.starts_with(&known[*from..]))
}

fn is_question(turn: &Turn) -> bool {
    matches!(turn, Turn::User(_))
}

/// A point in time as a text whose order is that of time: nanoseconds, or a date and a time in UTC. Empty if it is not known.
pub(super) fn time(value: &Value) -> String {
    match value {
        Value::Number(number) => format!("{:0>20}", number.to_string()),
        Value::String(text) if text.bytes().all(|byte| byte.is_ascii_digit()) => format!("{text:0>20}"),
        Value::String(text) => text.trim_end_matches("+00:00").trim_end_matches('Z').replace('T', " "),
        _ => String::new(),
    }
}

/// The conversations, in the order in which they begin. A trace is a conversation, and so are all traces of a session.
pub(super) fn conversations(mut steps: Vec<Step>) -> Vec<Conversation> {
    let named = steps.iter().filter(|step| !step.session.is_empty());
    let sessions: HashMap<String, String> = named.map(|step| (step.trace.clone(), step.session.clone())).collect();
    steps.sort_by(|a, b| a.start.cmp(&b.start));
    // When each conversation and each trace begins.
    let mut order: HashMap<(bool, String), usize> = HashMap::new();
    for (index, step) in steps.iter_mut().enumerate() {
        let session = sessions.get(&step.trace).map(|session| format!("conversation {session}"));
        step.session = session.unwrap_or_else(|| format!("trace {}", step.trace));
        order.entry((true, step.session.clone())).or_insert(index);
        order.entry((false, step.trace.clone())).or_insert(index);
    }
    steps.sort_by_cached_key(|step| [(true, step.session.clone()), (false, step.trace.clone())].map(|key| order[&key]));
    let mut conversations = Vec::new();
    for steps in steps.chunk_by_mut(|a, b| a.session == b.session) {
        if steps.iter().any(|step| matches!(step.kind, Kind::Agent | Kind::Model)) {
            let mut thread = Thread { said: Conversation::at(steps[0].session.clone()), ..Thread::default() };
            steps.chunk_by_mut(|a, b| a.trace == b.trace).for_each(|trace| thread.trace(trace));
            conversations.push(thread.finish());
        }
    }
    conversations
}

/// The most steps that contain a step, so the search also ends if they contain each other.
const DEEPEST: usize = 100;

/// What the steps of a conversation say together.
#[derive(Default)]
struct Thread {
    /// The questions, and what is wrong.
    said: Conversation,
    /// What follows the last question, each with its time.
    answer: Vec<(String, Turn)>,
    /// The calls of tools.
    tools: Vec<Step>,
    /// When the last question is asked.
    since: String,
}

impl Thread {
    /// Adds the steps of a trace, which are in the order of time.
    fn trace(&mut self, steps: &mut [Step]) {
        let named = steps.iter().filter(|step| !step.id.is_empty());
        let by_id: HashMap<&str, &Step> = named.map(|step| (&*step.id, step)).collect();
        let is_inside = |step: &Step, is_holder: fn(&Kind) -> bool| {
            let holders = successors(by_id.get(&*step.parent), |holder| by_id.get(&*holder.parent));
            holders.take(DEEPEST).any(|holder| is_holder(&holder.kind))
        };
        // What an agent does for a tool or for another agent is not part of the conversation.
        let is_kept = steps.iter().map(|step| {
            let is_inner = matches!(step.kind, Kind::Agent) && is_inside(step, |kind| matches!(kind, Kind::Agent));
            !is_inner && !is_inside(step, |kind| matches!(kind, Kind::Tool { .. }))
        });
        let is_kept: Vec<bool> = is_kept.collect();
        let (mut agents, mut models) = (Vec::new(), Vec::new());
        for (step, _) in steps.iter_mut().zip(is_kept).filter(|(_, is_kept)| *is_kept) {
            match step.kind {
                Kind::Agent => agents.push(take(step)),
                Kind::Model => models.push(take(step)),
                Kind::Tool { .. } => self.tools.push(take(step)),
                Kind::Other => {}
            }
        }
        for agent in &mut agents {
            // The answer comes after all results: this sorts behind each time.
            "~".clone_into(&mut agent.end);
            agent.said.fault = agent.said.fault.take().map(|fault| fault.replacen("the model call", "the agent", 1));
        }
        // A model may also answer what the user does not ask: it finds a title, or judges an answer.
        let asked: HashSet<String> = agents.iter().filter_map(Step::question).map(str::to_owned).collect();
        models.retain(|model| asked.is_empty() || model.question().is_none_or(|question| asked.contains(question)));
        let fault = agents.last().and_then(|agent| agent.said.fault.clone());
        let is_shown = asked.is_empty() || models.iter().any(|model| model.question().is_some());
        let first = self.said.turns.len();
        let said = if is_shown { models } else { agents };
        said.into_iter().for_each(|step| self.add(step, first, asked.is_empty()));
        fault.into_iter().for_each(|fault| self.said.fail(fault));
    }

    /// Adds what a step says. The questions of its trace begin at `first`. If a step of the trace asks something else than the ones before it
    /// and `is_alone`, it replaces them.
    fn add(&mut self, step: Step, first: usize, is_alone: bool) {
        let mut questions = step.said.turns;
        let answer = questions.split_off(questions.iter().rposition(is_question).map_or(0, |last| last + 1));
        let inputs = step.inputs.saturating_sub(questions.len());
        questions.retain(is_question);
        if !questions.is_empty() {
            let known = &self.said.turns;
            let repeated = |known: &[Turn]| repeated(known, &questions, first);
            let alone = || is_alone.then(|| repeated(&known[..first]).unwrap_or(first));
            let from = repeated(known).or_else(alone).unwrap_or(known.len());
            if known[from..] != questions {
                self.since.clone_from(&step.start);
            }
            self.said.turns.splice(from.., questions);
            self.said.fault = None;
            self.answer.clear();
        }
        let end = step.start.clone().max(step.end);
        for (index, turn) in answer.into_iter().enumerate() {
            self.answer.push((if index < inputs { &step.start } else { &end }.clone(), turn));
        }
        self.said.fault = step.said.fault.or(self.said.fault.take());
        self.said.unread = self.said.unread.take().or(step.said.unread);
    }

    /// Adds the calls and results that only the steps of tools show, in their place by time.
    fn finish(mut self) -> Conversation {
        let mut calls: HashMap<String, VecDeque<usize>> = HashMap::new();
        let mut results: HashMap<String, usize> = HashMap::new();
        for (place, (_, turn)) in self.answer.iter().enumerate() {
            match turn {
                Turn::Call { id, tool, .. } => {
                    for name in [id, tool] {
                        calls.entry(name.clone()).or_default().push_back(place);
                    }
                }
                Turn::Result { of, .. } => _ = results.insert(of.clone(), place),
                Turn::User(_) | Turn::Assistant(_) => {}
            }
        }
        for step in self.tools.into_iter().filter(|tool| tool.start >= self.since) {
            let Kind::Tool { call, tool, input, output } = step.kind else { continue };
            let mut shown = Conversation::default();
            let known = calls.get_mut(if call.is_empty() { &tool } else { &call });
            let known =
                known.and_then(|places| if call.is_empty() { places.pop_front() } else { places.front().copied() });
            let (called, of) = match known.map(|place| &self.answer[place]) {
                Some((time, Turn::Call { id, tool, .. })) => (time, if id.is_empty() { tool } else { id }.clone()),
                _ => (&step.start, if call.is_empty() { step.id } else { call }),
            };
            let (called, ended) = (called.clone(), called.max(&step.end).clone());
            if known.is_none() {
                shown.call(&of, &tool, &input);
            }
            match results.get(&of).and_then(|place| self.answer.get_mut(*place)) {
                Some((_, Turn::Result { is_error, .. })) => {
                    *is_error = Some(step.error.is_some() || *is_error == Some(true));
                }
                _ => {
                    let is_error = step.error.is_some();
                    let output = output.or(step.error);
                    output.into_iter().for_each(|output| shown.result(&of, &output, is_error));
                }
            }
            for turn in shown.turns {
                self.answer.push((if matches!(turn, Turn::Call { .. }) { &called } else { &ended }.clone(), turn));
            }
        }
        self.answer.sort_by(|a, b| a.0.cmp(&b.0));
        self.said.turns.extend(self.answer.into_iter().map(|(_, turn)| turn));
        self.said
    }
}

/// The members that hold what goes in, and those that hold what comes out, the clearest first.
const INPUTS: [&str; 2] = ["messages", "input"];
const OUTPUTS: [&str; 6] = ["messages", "generations", "choices", "message", "output", "text"];

/// The members of a message or of an item of the Responses API that has a type instead of a role.
const TYPED: [&str; 7] = ["content", "kwargs", "data", "call_id", "arguments", "action", "summary"];

/// Adds the messages in a value: a text or its JSON, a list, or an object that holds them. `role` is that of a text alone: `user` or
/// `assistant`.
fn say(said: &mut Conversation, value: &Value, role: &str) {
    let named = |role: &str, text: &str| json!({ "role": role, "content": text });
    match value {
        Value::String(text) => match serde_json::from_str(text) {
            Ok(parsed @ (Value::Array(_) | Value::Object(_))) => say(said, &parsed, role),
            _ => messages::add(said, &named(role, text)),
        },
        Value::Array(list) => match &list[..] {
            [Value::String(role), Value::String(text)] => messages::add(said, &named(role, text)),
            list => list.iter().for_each(|value| say(said, value, role)),
        },
        _ if value["role"].is_string()
            || value["type"].is_string() && TYPED.iter().any(|key| value.get(key).is_some()) =>
        {
            messages::add(said, value);
        }
        _ => {
            let holders = if role == "user" { &INPUTS[..] } else { &OUTPUTS[..] };
            let held = holders.iter().find_map(|key| Some((*key, value.get(key).filter(|held| !held.is_null())?)));
            value
                .get("chat_history")
                .filter(|_| role == "user")
                .into_iter()
                .for_each(|history| say(said, history, role));
            match held {
                Some(("generations" | "choices", held)) => {
                    let first = held.get(0).unwrap_or(&Value::Null);
                    if held.get(1).is_some() || first.get(1).is_some() {
                        said.fail("the response has several choices");
                    }
                    say(said, first.get(0).unwrap_or(first), role);
                }
                Some(("text", held)) => messages::add(said, &named(role, held.as_str().unwrap_or_default())),
                Some((_, held)) => say(said, held, role),
                None => {}
            }
            for reason in ["/finish_reason", "/generation_info/finish_reason", "/incomplete_details/reason"] {
                messages::stopped(said, value.pointer(reason).unwrap_or(&Value::Null));
            }
        }
    }
}

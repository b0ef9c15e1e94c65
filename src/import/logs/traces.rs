//! Traces: the steps of agents, models and tools, which OpenTelemetry, LangSmith and Langfuse log one by one, in any order.

use std::collections::{HashMap, HashSet, VecDeque};

use serde_json::{Value, json};

use crate::import::conversation::Turn;

use super::{Conversation, messages};

/// A step of a trace: a span, a run, an observation.
#[derive(Default)]
pub(super) struct Step {
    pub(super) trace: String,
    /// What several traces of one conversation have in common. Another step of the trace may have it.
    pub(super) session: Option<String>,
    pub(super) id: String,
    /// The id of the step that contains this one.
    pub(super) parent: String,
    /// When it begins, as [`time`] writes it.
    pub(super) start: String,
    /// When it ends. Empty if that is not known.
    pub(super) end: String,
    pub(super) kind: Kind,
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
    /// A call of a tool.
    Tool {
        /// The id of the call in the answer of the model; empty if it is not known.
        call: String,
        tool: String,
        input: Value,
        output: Option<Value>,
        is_error: bool,
    },
    #[default]
    Other,
}

impl Step {
    /// Reads the messages that go in and come out.
    pub(super) fn exchange(&mut self, input: Option<&Value>, output: Option<&Value>) {
        input.into_iter().for_each(|input| say(&mut self.said, input, "user"));
        self.inputs = self.said.turns.len();
        let mut out = Conversation::default();
        output.into_iter().for_each(|output| say(&mut out, output, "assistant"));
        let repeated = out.turns.iter().rposition(|turn| question(turn).is_some() && question(turn) == self.question());
        if let Some(place) = repeated {
            // What comes out is all that is said so far.
            self.inputs = place + 1;
            self.said = out;
        } else {
            self.said.turns.append(&mut out.turns);
            self.said.fault = out.fault.or(self.said.fault.take());
        }
    }

    /// What the user asks last.
    fn question(&self) -> Option<&str> {
        self.said.turns.iter().rev().find_map(question)
    }
}

/// A point in time as a text whose order is that of time: nanoseconds, or a date and a time in UTC. Empty if it is not known.
pub(super) fn time(value: Option<&Value>) -> String {
    match value {
        Some(Value::Number(number)) => format!("{:0>20}", number.to_string()),
        Some(Value::String(text)) if text.bytes().all(|byte| byte.is_ascii_digit()) => format!("{text:0>20}"),
        Some(Value::String(text)) => text.trim_end_matches("+00:00").trim_end_matches('Z').replace('T', " "),
        _ => String::new(),
    }
}

/// The conversations, in the order in which they begin. A trace is a conversation, and so are all traces of a session.
pub(super) fn conversations(mut steps: Vec<Step>) -> Vec<Conversation> {
    let sessions = steps.iter().filter_map(|step| Some((step.trace.clone(), step.session.clone()?)));
    let sessions: HashMap<String, String> = sessions.collect();
    steps.sort_by(|a, b| a.start.cmp(&b.start));
    let mut places: HashMap<String, usize> = HashMap::new();
    let mut groups: Vec<(String, Vec<Vec<Step>>)> = Vec::new();
    let mut traces: HashMap<String, usize> = HashMap::new();
    for step in steps {
        let place = match sessions.get(&step.trace) {
            Some(session) => format!("conversation {session}"),
            None => format!("trace {}", step.trace),
        };
        let group = *places.entry(place.clone()).or_insert_with(|| {
            groups.push((place, Vec::new()));
            groups.len() - 1
        });
        let group = &mut groups[group].1;
        let trace = *traces.entry(step.trace.clone()).or_insert_with(|| {
            group.push(Vec::new());
            group.len() - 1
        });
        group[trace].push(step);
    }
    let answers = |step: &Step| matches!(step.kind, Kind::Agent | Kind::Model);
    groups.retain(|(_, traces)| traces.iter().flatten().any(answers));
    groups.into_iter().map(|(place, traces)| conversation(place, traces)).collect()
}

/// The conversation of these traces. The steps of each are in the order of time.
fn conversation(place: String, traces: Vec<Vec<Step>>) -> Conversation {
    let mut thread = Thread { said: Conversation::at(place), ..Thread::default() };
    let mut tools = Vec::new();
    for steps in traces {
        let of_tools = inside(&steps, |kind| matches!(kind, Kind::Tool { .. }));
        let of_agents = inside(&steps, |kind| matches!(kind, Kind::Agent));
        let last = steps.iter().map(|step| step.start.clone().max(step.end.clone())).max().unwrap_or_default();
        let (mut agents, mut models) = (Vec::new(), Vec::new());
        for ((mut step, of_tool), of_agent) in steps.into_iter().zip(of_tools).zip(of_agents) {
            match step.kind {
                // What an agent does for a tool is not part of the conversation.
                _ if of_tool => {}
                Kind::Agent if of_agent => {}
                Kind::Agent => {
                    // A trace of Langfuse has no end. The answer comes after all results.
                    step.end = if step.end.is_empty() { last.clone() } else { step.end } + "~";
                    step.said.fault = step.said.fault.map(|fault| fault.replacen("the model call", "the agent", 1));
                    agents.push(step);
                }
                Kind::Model => models.push(step),
                Kind::Tool { .. } => tools.push(step),
                Kind::Other => {}
            }
        }
        // A model may also answer what the user does not ask: it finds a title, or judges an answer.
        let asked: HashSet<String> = agents.iter().filter_map(Step::question).map(str::to_owned).collect();
        models.retain(|model| asked.is_empty() || model.question().is_none_or(|question| asked.contains(question)));
        let fault = agents.last().and_then(|agent| agent.said.fault.clone());
        let start = thread.times.len();
        let has_question = models.iter().any(|model| model.question().is_some());
        let said = if has_question || asked.is_empty() { models } else { agents };
        said.into_iter().for_each(|step| thread.add(step, start, asked.is_empty()));
        fault.into_iter().for_each(|fault| thread.said.fail(fault));
    }
    thread.add_tools(tools);
    thread.said
}

/// What the steps of a conversation say together.
#[derive(Default)]
struct Thread {
    said: Conversation,
    /// When each turn is said.
    times: Vec<String>,
    /// Which turns are questions.
    asked: Vec<usize>,
}

impl Thread {
    /// Adds the turns of a step that are not known yet. The turns of its trace begin at `start`. If a step of the trace asks something else
    /// than the ones before it and `is_last_right`, it replaces them.
    fn add(&mut self, step: Step, start: usize, is_last_right: bool) {
        let asked: Vec<&str> = step.said.turns.iter().filter_map(question).collect();
        let mut place = self.repeated(&asked, start);
        if place.is_none() && is_last_right && !asked.is_empty() {
            self.cut(start);
            place = self.repeated(&asked, start);
        }
        let times = self.cut(place.unwrap_or(self.times.len()));
        if self.times.is_empty() {
            self.said.fault = None;
        }
        for (index, turn) in step.said.turns.into_iter().enumerate() {
            let time = times.get(index).unwrap_or(if index < step.inputs { &step.start } else { &step.end });
            // A step may begin before the last one ends.
            let time = self.times.last().map_or(time, |last| last.max(time)).clone();
            self.times.push(time);
            match turn {
                Turn::User(text) => {
                    self.asked.push(self.said.turns.len());
                    messages::ask(&mut self.said, &text, None);
                }
                turn => self.said.turns.push(turn),
            }
        }
        self.said.fault = step.said.fault.or(self.said.fault.take());
    }

    /// The turn from which on a step that asks this repeats what is said. Each step has all that is said before it, or the last questions.
    fn repeated(&self, asked: &[&str], start: usize) -> Option<usize> {
        let known = self.asked.len();
        // A step of another trace may ask the same question again.
        let is_new = asked.len() == 1 && self.asked.last().is_none_or(|last| *last < start);
        let counts = [known, asked.len(), asked.len().checked_sub(1)?];
        let mut counts =
            counts.into_iter().filter(|count| *count <= known.min(asked.len()) && (*count == 0) == (known == 0));
        let is_same = |count: &usize| {
            let last = self.asked[known - count..].iter().map(|place| question(&self.said.turns[*place]));
            last.zip(asked).all(|(known, asked)| known == Some(asked))
        };
        let count = counts.find(|count| !(is_new && *count == 1) && is_same(count))?;
        Some(if count == known { 0 } else { self.asked[known - count] })
    }

    /// Removes the turns from this one on. Returns when they were said.
    fn cut(&mut self, place: usize) -> Vec<String> {
        self.said.turns.truncate(place);
        self.asked.truncate(self.asked.partition_point(|asked| *asked < place));
        self.times.split_off(place.min(self.times.len()))
    }

    /// Adds the calls and results that only the steps of tools show, in their place by time.
    fn add_tools(&mut self, tools: Vec<Step>) {
        let mut by_id: HashMap<String, usize> = HashMap::new();
        let mut by_tool: HashMap<String, VecDeque<usize>> = HashMap::new();
        let mut results: HashMap<String, usize> = HashMap::new();
        for (place, turn) in self.said.turns.iter().enumerate() {
            match turn {
                Turn::Call { id, tool, .. } => {
                    by_id.insert(id.clone(), place);
                    by_tool.entry(tool.clone()).or_default().push_back(place);
                }
                Turn::Result { of, .. } => _ = results.insert(of.clone(), place),
                Turn::User(_) | Turn::Assistant(_) => {}
            }
        }
        let mut shown = Conversation::default();
        for step in tools {
            let Kind::Tool { call, tool, input, output, is_error } = step.kind else { continue };
            let known = if call.is_empty() {
                by_tool.get_mut(&tool).and_then(VecDeque::pop_front)
            } else {
                by_id.get(&call).copied()
            };
            let known = known.and_then(|place| Some((place, self.said.turns.get(place)?)));
            let of = match known {
                Some((_, Turn::Call { id, tool, .. })) => if id.is_empty() { tool } else { id }.clone(),
                _ if call.is_empty() => step.id,
                _ => call,
            };
            let called = known.map_or(step.start, |(place, _)| self.times[place].clone());
            if known.is_none() {
                shown.call(&of, &tool, &input);
                self.times.push(called.clone());
            }
            match results.get(&of).and_then(|place| self.said.turns.get_mut(*place)) {
                Some(Turn::Result { is_error: known, .. }) => *known = Some(is_error || *known == Some(true)),
                _ if output.is_some() || is_error => {
                    shown.result(&of, &output.unwrap_or_default(), is_error);
                    self.times.push(called.max(step.end));
                }
                _ => {}
            }
        }
        self.said.turns.append(&mut shown.turns);
        let mut turns: Vec<(String, Turn)> =
            std::mem::take(&mut self.times).into_iter().zip(std::mem::take(&mut self.said.turns)).collect();
        turns.sort_by(|a, b| a.0.cmp(&b.0));
        self.said.turns = turns.into_iter().map(|(_, turn)| turn).collect();
    }
}

fn question(turn: &Turn) -> Option<&str> {
    match turn {
        Turn::User(text) => Some(text),
        _ => None,
    }
}

/// Of each step, whether a step of this kind contains it.
fn inside(steps: &[Step], is_holder: fn(&Kind) -> bool) -> Vec<bool> {
    let named = steps.iter().enumerate().filter(|(_, step)| !step.id.is_empty());
    let places: HashMap<&str, usize> = named.map(|(place, step)| (step.id.as_str(), place)).collect();
    let mut inside: Vec<Option<bool>> = vec![None; steps.len()];
    for start in 0..steps.len() {
        let (mut path, mut place) = (Vec::new(), start);
        let is_inside = loop {
            if let Some(known) = inside[place] {
                break known;
            }
            // This ends a circle of steps that contain each other.
            inside[place] = Some(false);
            path.push(place);
            match places.get(steps[place].parent.as_str()) {
                None => break false,
                Some(parent) if is_holder(&steps[*parent].kind) => break true,
                Some(parent) => place = *parent,
            }
        };
        path.into_iter().for_each(|place| inside[place] = Some(is_inside));
    }
    inside.into_iter().map(Option::unwrap_or_default).collect()
}

/// The members that hold what goes in, the clearest first.
const INPUTS: [&str; 2] = ["messages", "input"];

/// The members that hold what comes out, the clearest first.
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
            [Value::String(role), Value::String(text)] if ROLES.contains(&&**role) => {
                messages::add(said, &named(role, text))
            }
            list => list.iter().for_each(|value| say(said, value, role)),
        },
        Value::Object(_) => {
            let is_typed = value.get("type").is_some_and(Value::is_string);
            if value.get("role").is_some_and(Value::is_string)
                || is_typed && TYPED.iter().any(|key| value.get(key).is_some())
            {
                return messages::add(said, value);
            }
            let holders = if role == "user" { &INPUTS[..] } else { &OUTPUTS[..] };
            value
                .get("chat_history")
                .filter(|_| role == "user")
                .into_iter()
                .for_each(|history| say(said, history, role));
            let held = |key: &&'static str| Some((*key, value.get(*key).filter(|held| !held.is_null())?));
            match holders.iter().find_map(held) {
                Some(("generations" | "choices", mut held)) => {
                    while let Value::Array(list) = held {
                        held = list.first().unwrap_or(&Value::Null);
                        if list.len() > 1 {
                            said.fail("the response has several choices");
                        }
                    }
                    say(said, held, role);
                }
                Some(("text", held)) => messages::add(said, &named(role, held.as_str().unwrap_or_default())),
                Some((_, held)) => say(said, held, role),
                None => {}
            }
            let reasons = ["/finish_reason", "/generation_info/finish_reason", "/incomplete_details/reason"];
            let reasons = reasons.iter().filter_map(|reason| value.pointer(reason)?.as_str());
            reasons.for_each(|reason| messages::stopped(said, reason));
        }
        _ => {}
    }
}

/// The roles in a message that is a list of its role and its text.
const ROLES: [&str; 6] = ["system", "user", "human", "assistant", "ai", "tool"];

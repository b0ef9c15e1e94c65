//! What one turn is doing: *typed → sent → echoed → working → answered → settled*. No I/O, no clock: it decides from
//! observations alone, and an observation carries the time at which it was made.

#[cfg(test)]
mod tests;

use std::time::Duration;

use super::error::Unsettled;
use super::requests::OpenRequest;

/// What was seen of the page and the log at one moment.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Observation {
    /// The time since the prompt was first sent.
    pub(super) at: Duration,
    pub(super) input: Input,
    /// Whether the page shows the prompt outside of the input.
    pub(super) is_echoed: bool,
    /// Whether it shows the whole prompt as a message, and nothing shows that the message was not sent.
    pub(super) is_message: bool,
    /// Whether the send button looks otherwise than before the prompt was typed.
    pub(super) is_occupied: bool,
    /// What is new on the page beside the prompt.
    pub(super) answer: Option<TurnAnswer>,
    /// A digest of the watched part of the page: it changes if that part changes.
    pub(super) watched: String,
    /// The signs that the assistant is at work.
    pub(super) busy: Vec<String>,
    /// The tools whose `start` is in the log without its `result`.
    pub(super) calls: Vec<String>,
}

/// Whether the prompt is in the chat input.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Input {
    /// The prompt is not in the input: the app accepted it.
    #[default]
    Free,
    /// The prompt is in the input, as it was typed.
    Holds,
    /// The prompt is in the input, with another white space: Enter made a new line.
    HoldsNewLine,
}

/// What is known of the answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TurnAnswer {
    /// Whether it follows the prompt in the same part of the page, or is where the configuration says.
    pub(super) is_certain: bool,
    /// Whether it ends within a sentence.
    pub(super) is_open: bool,
    /// Whether it ends with an announcement: `I will look that up.`
    pub(super) is_announcement: bool,
}

/// How far a turn is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Phase {
    Typed,
    Sent,
    Echoed,
    Working,
    Answered,
    Settled,
}

/// What to do next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Next {
    /// Look again later.
    Wait(Wait),
    /// Send the prompt again.
    Send(Key),
    /// The app seems to have answered without clearing the chat input: clear it. A conversation stays, suggestions for
    /// what is typed go away.
    Clear,
    /// The page is quiet: [`Turn::requests`] decides with its open requests.
    AskRequests,
    /// The answer is complete.
    Settled,
}

/// How to send a prompt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Key {
    Enter,
    Button,
}

/// What a turn waits for, as progress output reports it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum Wait {
    #[error("waiting for the app to take the prompt")]
    Taken,
    #[error("waiting for the assistant")]
    Answer,
    #[error("waiting while {0}")]
    Busy(String),
    #[error("waiting for tool {0}")]
    Tool(String),
    #[error("waiting for the answer to stay the same")]
    Quiet,
    #[error("waiting for the page's request {0}")]
    Request(String),
}

/// When an input that still has the prompt after Enter made a new line is sent with the button.
/// Without it, the pages `button` and `several-buttons` wait for `AGAIN`.
const NEW_LINE: Duration = Duration::from_millis(300);
/// When a button that was not found is looked for again: on the page `never-new-line`, which has none, not at each look.
const NO_BUTTON: Duration = Duration::from_secs(2);
/// When Enter that showed no effect is followed by the button, as the page `no-enter` needs. The app may have accepted it in silence.
const UNANSWERED: Duration = Duration::from_secs(5);
/// When a prompt that showed no effect is sent again: the page `enter-twice` takes only the second one.
const AGAIN: Duration = Duration::from_secs(12);
/// How long the page must be quiet before a prompt that it did not take is sent again, as in case B of the page `ignores-while-busy`.
const REST: Duration = Duration::from_millis(700);
/// How long an answer that may be none must stay the same. The pages `sidebar-late` and `sign-sidebar-after` say something else first.
const UNCERTAIN: Duration = Duration::from_secs(12);
/// How long an answer must stay the same that announces more, or while the send button looks otherwise than before: on the pages
/// `announces` and `button-turns`, the answer follows after up to 16 s.
const EXPECTANT: Duration = Duration::from_secs(20);
/// How long a quiet page's open request is waited for. One that is longer open is not for this answer: the page `events-go-on` never
/// ends its own.
const REQUESTS: Duration = Duration::from_secs(20);
/// How long a request is waited for that carries the prompt, once the app has begun to respond: the pages `event-stream` and
/// `fetch-stream` pause for 16 s. Without a response there is no limit, as the page `posts` needs.
const STREAM: Duration = Duration::from_secs(30);
/// The longest pause that is expected to repeat: those of the page `stream-pauses` are shorter.
const LONGEST_PAUSE: Duration = Duration::from_secs(10);

/// One turn, from the moment its prompt was typed.
#[derive(Debug)]
pub(super) struct Turn {
    settle: Duration,
    has_button: bool,
    phase: Phase,
    last: Observation,
    /// When the prompt was last sent, and how.
    sent: (Duration, Key),
    /// Since when the watched part is the same and nothing is at work.
    quiet_since: Duration,
    /// The longest time between two changes of the answer.
    pause: Duration,
    /// Whether the last observation found something at work.
    was_working: bool,
    /// When the app was last at work before it took the prompt.
    worked: Option<Duration>,
    request: Option<String>,
    /// When the chat input was cleared.
    cleared: Option<Duration>,
}

impl Turn {
    /// A turn whose prompt was just sent. The answer must stay the same for `settle`.
    pub(super) fn sent(settle: Duration, key: Key) -> Self {
        Self {
            settle,
            has_button: true,
            phase: Phase::Typed,
            last: Observation { input: Input::Holds, ..Observation::default() },
            sent: (Duration::ZERO, key),
            quiet_since: Duration::ZERO,
            pause: Duration::ZERO,
            was_working: false,
            worked: None,
            request: None,
            cleared: None,
        }
    }

    #[cfg(test)]
    pub(super) fn phase(&self) -> Phase {
        self.phase
    }

    /// Decides from the present observation. Observations come in the order of their time.
    pub(super) fn observe(&mut self, now: Observation) -> Next {
        let is_working = !now.busy.is_empty() || !now.calls.is_empty();
        // Between two looks, work may have ended at any time.
        let is_resting = !is_working && !self.was_working;
        if now.watched != self.last.watched || now.answer.is_some() != self.last.answer.is_some() || !is_resting {
            if now.answer.is_some() && self.last.answer.is_some() && is_resting {
                self.pause = self.pause.max((now.at - self.quiet_since).min(LONGEST_PAUSE));
            }
            self.quiet_since = now.at;
        }
        self.was_working = is_working;
        self.request = None;
        self.last = now;
        self.phase = self.phase_now(is_working);
        match self.phase {
            Phase::Typed if self.may_be_uncleared(is_working) && self.is_quiet() => Next::AskRequests,
            Phase::Typed => self.untaken(is_working),
            Phase::Answered if self.is_quiet() => Next::AskRequests,
            _ => Next::Wait(self.wait()),
        }
    }

    /// Decides with what the page's requests say, if [`observe`](Self::observe) asked for them.
    pub(super) fn requests(&mut self, open: Option<OpenRequest>) -> Next {
        let can_end = self.phase == Phase::Answered || self.phase == Phase::Typed && self.may_be_uncleared(false);
        if !can_end || !self.is_quiet() {
            return Next::Wait(self.wait());
        }
        self.request = open.filter(|request| self.is_awaited(request)).map(|request| request.shown);
        if self.request.is_some() {
            return Next::Wait(self.wait());
        }
        if self.phase == Phase::Typed {
            return Next::Clear;
        }
        self.phase = Phase::Settled;
        Next::Settled
    }

    /// The prompt was sent again.
    pub(super) fn sent_again(&mut self, key: Key) {
        self.sent = (self.last.at, key);
        self.worked = None;
    }

    /// The chat input was cleared. What is on the page must now stay for as long as an answer.
    pub(super) fn cleared(&mut self) {
        self.cleared = Some(self.last.at);
        self.quiet_since = self.last.at;
    }

    /// The page has no button that sends.
    pub(super) fn has_no_button(&mut self) {
        self.has_button = false;
        self.sent = (self.last.at, Key::Button);
    }

    /// When to look again: after `interval`, or earlier if the answer has stayed the same for long enough by then.
    pub(super) fn next_look(&self, interval: Duration) -> Duration {
        self.until_quiet().filter(|rest| !rest.is_zero()).map_or(interval, |rest| rest.min(interval))
    }

    /// Why the turn has not settled.
    pub(super) fn unsettled(&self) -> Unsettled {
        let last = &self.last;
        match (last.input, last.calls.first(), last.busy.first()) {
            _ if self.phase == Phase::Typed && self.cleared.is_some() => Unsettled::NotSent,
            (Input::Holds | Input::HoldsNewLine, ..) => Unsettled::StillInInput,
            (_, Some(tool), _) => Unsettled::Tool(tool.clone()),
            (_, _, Some(busy)) => Unsettled::Busy(busy.clone()),
            _ if last.answer.is_some() => self.request.clone().map_or(Unsettled::Changing, Unsettled::Request),
            _ if last.is_echoed => Unsettled::OnlyPrompt,
            _ => Unsettled::NoReaction,
        }
    }

    fn phase_now(&self, is_working: bool) -> Phase {
        let last = &self.last;
        match last.input {
            Input::Holds | Input::HoldsNewLine => Phase::Typed,
            // Only a message that stays shows that the app took the prompt: this turn cleared the input itself.
            Input::Free if self.cleared.is_some() && !last.is_message => Phase::Typed,
            Input::Free if is_working => Phase::Working,
            Input::Free if last.answer.is_some() => Phase::Answered,
            Input::Free if last.is_echoed => Phase::Echoed,
            Input::Free => Phase::Sent,
        }
    }

    /// Whether the app may have answered without clearing the chat input.
    fn may_be_uncleared(&self, is_working: bool) -> bool {
        let last = &self.last;
        let is_certain = last.answer.is_some_and(|answer| answer.is_certain);
        last.input == Input::Holds && last.is_message && is_certain && !is_working && self.cleared.is_none()
    }

    /// Whether the answer may still depend on an open request.
    fn is_awaited(&self, request: &OpenRequest) -> bool {
        let is_announced = self.last.answer.is_some_and(|answer| answer.is_announcement);
        let limit = match request {
            _ if is_announced => None,
            OpenRequest { has_prompt: true, is_answered: false, .. } => None,
            OpenRequest { has_prompt: true, .. } => Some(STREAM),
            OpenRequest { .. } => Some(REQUESTS),
        };
        limit.is_none_or(|limit| self.quiet_for() < limit)
    }

    /// The prompt is in the input. It is sent again only if nothing shows that the app took it.
    fn untaken(&mut self, is_working: bool) -> Next {
        let now = self.last.at;
        if is_working {
            self.worked = Some(now);
        }
        if is_working || self.last.is_echoed || self.cleared.is_some() {
            return Next::Wait(self.wait());
        }
        let since = now - self.sent.0;
        let (wait, key) = match (self.last.input, self.worked) {
            (Input::HoldsNewLine, _) if !self.has_button => (NO_BUTTON, Key::Button),
            (Input::HoldsNewLine, _) => (if self.sent.1 == Key::Enter { NEW_LINE } else { AGAIN }, Key::Button),
            // The app was at work and is not any more: it takes prompts again.
            (_, Some(_)) if self.quiet_for() >= REST => (Duration::ZERO, self.sent.1),
            // Something came, but not the prompt: most likely the end of an earlier turn.
            _ if self.last.answer.is_some() && self.quiet_for() >= self.settle => (REST, self.sent.1),
            _ if self.sent.1 == Key::Enter && self.has_button => (UNANSWERED, Key::Button),
            _ => (AGAIN, Key::Enter),
        };
        if since < wait {
            return Next::Wait(self.wait());
        }
        Next::Send(key)
    }

    fn quiet_for(&self) -> Duration {
        self.last.at - self.quiet_since
    }

    fn is_quiet(&self) -> bool {
        self.until_quiet() == Some(Duration::ZERO)
    }

    /// How long the answer must still stay the same; `None` without an answer.
    fn until_quiet(&self) -> Option<Duration> {
        let answer = self.last.answer?;
        let settle = match answer {
            TurnAnswer { is_announcement: true, .. } => (self.settle * 2).max(EXPECTANT),
            TurnAnswer { .. } if self.last.is_occupied => (self.settle * 2).max(EXPECTANT),
            TurnAnswer { is_certain: false, .. } => (self.settle * 2).max(UNCERTAIN),
            TurnAnswer { is_open: true, .. } => self.settle * 2,
            TurnAnswer { .. } => self.settle,
        };
        Some(settle.max(self.pause.mul_f32(1.5)).saturating_sub(self.quiet_for()))
    }

    fn wait(&self) -> Wait {
        let last = &self.last;
        match (last.calls.first(), last.busy.first(), &self.request) {
            (Some(tool), ..) => Wait::Tool(tool.clone()),
            (_, Some(busy), _) => Wait::Busy(busy.clone()),
            (_, _, Some(request)) => Wait::Request(request.clone()),
            _ if self.phase == Phase::Typed => Wait::Taken,
            _ if last.answer.is_some() => Wait::Quiet,
            _ => Wait::Answer,
        }
    }
}

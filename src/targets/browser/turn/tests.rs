//! The state machine alone: recorded observations, and properties of all sequences.

use std::time::Duration;

use proptest::prelude::*;

use super::super::error::Unsettled;
use super::super::requests::OpenRequest;
use super::{Input, Key, Next, Observation, Phase, Turn, TurnAnswer};

const SETTLE: Duration = Duration::from_secs(3);
const CERTAIN: Option<TurnAnswer> = Some(TurnAnswer { is_certain: true, is_open: false, is_announcement: false });

fn at(millis: u64) -> Observation {
    Observation { at: Duration::from_millis(millis), ..Observation::default() }
}

fn echoed(millis: u64) -> Observation {
    Observation { is_echoed: true, watched: "prompt".to_owned(), ..at(millis) }
}

fn answered(millis: u64, watched: &str) -> Observation {
    Observation { answer: CERTAIN, watched: watched.to_owned(), ..echoed(millis) }
}

fn typed(millis: u64, input: Input) -> Observation {
    Observation { input, ..at(millis) }
}

fn busy(millis: u64, sign: &str) -> Observation {
    Observation { busy: vec![sign.to_owned()], ..echoed(millis) }
}

fn working(millis: u64, tool: &str) -> Observation {
    Observation { calls: vec![tool.to_owned()], ..answered(millis, "let me look") }
}

/// What each observation led to, and how far the turn was then. Requests are never open, and sending always succeeds.
fn run(observations: impl IntoIterator<Item = Observation>) -> (Turn, Vec<(Phase, String)>) {
    let mut turn = Turn::sent(SETTLE, Key::Enter);
    let mut steps = Vec::new();
    for observation in observations {
        let next = match turn.observe(observation) {
            Next::AskRequests => turn.requests(None),
            next => next,
        };
        let step = match &next {
            Next::Wait(wait) => wait.to_string(),
            Next::Send(key) => {
                turn.sent_again(*key);
                format!("send by {key:?}")
            }
            Next::Clear => {
                turn.cleared();
                "clear".to_owned()
            }
            Next::AskRequests => "requests".to_owned(),
            Next::Settled => "settled".to_owned(),
        };
        steps.push((turn.phase(), step));
    }
    (turn, steps)
}

fn last(observations: impl IntoIterator<Item = Observation>) -> (Phase, String) {
    run(observations).1.pop().expect("there is an observation")
}

#[test]
fn an_answer_settles_once_it_stays_the_same() {
    let (_, steps) =
        run([at(100), echoed(200), answered(4000, "a"), answered(4200, "b"), answered(7100, "b"), answered(7200, "b")]);
    let steps: Vec<_> = steps.iter().map(|(phase, step)| (*phase, step.as_str())).collect();
    let quiet = "waiting for the answer to stay the same";
    assert_eq!(
        steps,
        [
            (Phase::Sent, "waiting for the assistant"),
            (Phase::Echoed, "waiting for the assistant"),
            (Phase::Answered, quiet),
            (Phase::Answered, quiet),
            (Phase::Answered, quiet),
            (Phase::Settled, "settled"),
        ]
    );
}

#[test]
fn the_page_is_looked_at_when_the_answer_has_stayed_the_same_for_long_enough() {
    let interval = Duration::from_millis(100);
    for (observations, expected) in [
        (&[at(100)][..], 100),
        (&[echoed(0), echoed(9000)], 100),
        (&[answered(0, "a"), answered(2899, "a")], 100),
        (&[answered(0, "a"), answered(2970, "a")], 30),
        (&[answered(0, "a"), answered(2970, "b")], 100),
        // It is quiet, and waits for something else.
        (&[working(0, "a"), working(9000, "a")], 100),
    ] {
        let (turn, _) = run(observations.to_vec());
        assert_eq!(turn.next_look(interval), Duration::from_millis(expected), "{observations:?}");
    }
    let mut turn = Turn::sent(SETTLE, Key::Enter);
    turn.observe(answered(0, "a"));
    turn.observe(answered(3000, "a"));
    assert_eq!(turn.next_look(interval), interval, "an open request is waited for");
}

#[test]
fn an_answer_that_may_be_none_or_goes_on_must_stay_the_same_for_longer() {
    let with = |answer: TurnAnswer| move |millis| Observation { answer: Some(answer), ..answered(millis, "a") };
    let plain = TurnAnswer { is_certain: true, is_open: false, is_announcement: false };
    let uncertain = with(TurnAnswer { is_certain: false, ..plain });
    assert_eq!(last([uncertain(0), uncertain(11_000)]).0, Phase::Answered);
    assert_eq!(last([uncertain(0), uncertain(12_500)]).0, Phase::Settled);
    let open = with(TurnAnswer { is_open: true, ..plain });
    assert_eq!(last([open(0), open(5000)]).0, Phase::Answered);
    assert_eq!(last([open(0), open(6000)]).0, Phase::Settled);
    let announced = with(TurnAnswer { is_announcement: true, ..plain });
    assert_eq!(last([announced(0), announced(19_000)]).0, Phase::Answered);
    assert_eq!(last([announced(0), announced(20_000)]).0, Phase::Settled);
    let occupied = |millis| Observation { is_occupied: true, ..answered(millis, "a") };
    assert_eq!(last([occupied(0), occupied(19_000)]).0, Phase::Answered);
    assert_eq!(last([occupied(0), occupied(19_000), answered(19_200, "a")]).0, Phase::Settled);
    assert_eq!(last([occupied(0), occupied(20_000)]).0, Phase::Settled);
    let paused = [answered(0, "a"), answered(2900, "b"), answered(6000, "b")];
    assert_eq!(last(paused).0, Phase::Answered, "a pause may repeat");
}

#[test]
fn work_is_waited_for_and_named() {
    for (observation, wait, why) in [
        (
            busy(9000, "the page shows `Thinking…`"),
            "waiting while the page shows `Thinking…`",
            "the assistant is still at work: the page shows `Thinking…`",
        ),
        (
            working(9000, "count_commits"),
            "waiting for tool count_commits",
            "the tool `count_commits` was called, and its result is not in the telemetry log",
        ),
        (echoed(90_000), "waiting for the assistant", "nothing but the prompt appeared"),
        (at(90_000), "waiting for the assistant", "nothing on the page has changed since the prompt was sent"),
    ] {
        let (turn, steps) = run([observation]);
        assert_eq!(steps[0].1, wait);
        assert_eq!(turn.unsettled().to_string(), why);
    }
    assert_eq!(last([working(0, "a"), answered(6000, "b"), answered(8900, "b")]).0, Phase::Answered);
}

#[test]
fn an_open_request_is_waited_for_as_long_as_the_answer_may_depend_on_it() {
    let request = |has_prompt, is_answered| OpenRequest { shown: "POST /ask".to_owned(), has_prompt, is_answered };
    let announces = |millis| Observation {
        answer: Some(TurnAnswer { is_certain: true, is_open: false, is_announcement: true }),
        ..answered(millis, "a")
    };
    let says = |millis| answered(millis, "a");
    for (name, observe, request, limit) in [
        ("another request", &says as &dyn Fn(u64) -> Observation, request(false, false), Some(20_000)),
        ("another stream", &says, request(false, true), Some(20_000)),
        ("a stream for the prompt", &says, request(true, true), Some(30_000)),
        ("the prompt's own request", &says, request(true, false), None),
        ("any request after an announcement", &announces, request(false, true), None),
    ] {
        let mut turn = Turn::sent(SETTLE, Key::Enter);
        let at_quiet = |turn: &mut Turn, millis| match turn.observe(observe(millis)) {
            Next::AskRequests => turn.requests(Some(request.clone())),
            next => next,
        };
        at_quiet(&mut turn, 0);
        let Next::Wait(wait) = at_quiet(&mut turn, limit.unwrap_or(3_600_000) - 1) else {
            panic!("{name} is waited for")
        };
        assert_eq!(wait.to_string(), "waiting for the page's request POST /ask", "{name}");
        assert_eq!(turn.unsettled(), Unsettled::Request("POST /ask".to_owned()), "{name}");
        if let Some(limit) = limit {
            assert_eq!(at_quiet(&mut turn, limit), Next::Settled, "{name}");
        }
    }
}

#[test]
fn an_input_that_keeps_the_prompt_is_cleared_once_and_only_a_message_that_stays_counts() {
    let holds = |millis| Observation { input: Input::Holds, is_message: true, ..answered(millis, "a") };
    let message = |millis| Observation { is_message: true, ..answered(millis, "a") };
    assert_eq!(last([holds(0), holds(2900)]), (Phase::Typed, "waiting for the app to take the prompt".to_owned()));
    assert_eq!(last([holds(0), holds(3000)]), (Phase::Typed, "clear".to_owned()));
    assert_eq!(last([holds(0), holds(3000), message(3200), message(5900)]).0, Phase::Answered);
    assert_eq!(last([holds(0), holds(3000), message(3200), message(6000)]).0, Phase::Settled);
    // Suggestions go away.
    let (turn, steps) = run([holds(0), holds(3000), at(3200), answered(3400, "b"), answered(90_000, "b")]);
    assert!(steps[2..].iter().all(|step| *step == (Phase::Typed, "waiting for the app to take the prompt".to_owned())));
    assert_eq!(turn.unsettled(), Unsettled::NotSent);
    // The field cannot be cleared.
    let (turn, steps) = run([holds(0), holds(3000), holds(60_000)]);
    assert_eq!(steps[2].0, Phase::Typed);
    assert_eq!(turn.unsettled(), Unsettled::NotSent);
    for (name, observation) in [
        ("not a message", Observation { is_message: false, ..holds(60_000) }),
        ("no answer", Observation { answer: None, ..holds(60_000) }),
        (
            "an answer elsewhere",
            Observation { answer: CERTAIN.map(|one| TurnAnswer { is_certain: false, ..one }), ..holds(60_000) },
        ),
        ("at work", Observation { busy: vec!["x".to_owned()], ..holds(60_000) }),
        ("with another white space", Observation { input: Input::HoldsNewLine, ..holds(60_000) }),
    ] {
        let first = Observation { at: Duration::ZERO, ..observation.clone() };
        let (phase, step) = last([first, observation]);
        assert!(phase == Phase::Typed && step != "clear", "{name}: {step}");
    }
}

#[test]
fn a_prompt_is_sent_again_only_if_nothing_shows_that_it_was_taken() {
    let holds = |millis| typed(millis, Input::Holds);
    let line = |millis| typed(millis, Input::HoldsNewLine);
    for (name, observations, step) in [
        ("just sent", vec![holds(100)], "waiting for the app to take the prompt"),
        ("no effect", vec![holds(100), holds(5100)], "send by Button"),
        ("a new line", vec![line(400)], "send by Button"),
        ("after the button", vec![line(400), line(700)], "waiting for the app to take the prompt"),
        ("echoed", vec![Observation { is_echoed: true, ..holds(60_000) }], "waiting for the app to take the prompt"),
        ("at work", vec![Observation { busy: vec!["x".to_owned()], ..holds(60_000) }], "waiting while x"),
        (
            "at work before",
            vec![Observation { busy: vec!["x".to_owned()], ..holds(1000) }, holds(1100), holds(1900)],
            "send by Enter",
        ),
    ] {
        assert_eq!(last(observations), (Phase::Typed, step.to_owned()), "{name}");
    }
    let (turn, _) = run([holds(60_000)]);
    assert_eq!(turn.unsettled(), Unsettled::StillInInput);
}

fn observation() -> impl Strategy<Value = Observation> {
    let input = prop_oneof![Just(Input::Free), Just(Input::Holds), Just(Input::HoldsNewLine)];
    let answer =
        proptest::option::of(
            (any::<bool>(), any::<bool>(), any::<bool>())
                .prop_map(|(is_certain, is_open, is_announcement)| TurnAnswer { is_certain, is_open, is_announcement }),
        );
    let looks = (any::<bool>(), any::<bool>(), any::<bool>());
    let signs = || proptest::collection::vec("[a-c]", 0..2);
    (0_u64..30_000, input, looks, answer, "[ab]?", signs(), signs()).prop_map(
        |(after, input, (is_echoed, is_message, is_occupied), answer, watched, busy, calls)| Observation {
            at: Duration::from_millis(after),
            input,
            is_echoed,
            is_message,
            is_occupied,
            answer,
            watched,
            busy,
            calls,
        },
    )
}

proptest! {
    #[test]
    fn nothing_settles_without_an_accepted_prompt_and_a_complete_answer(observations in proptest::collection::vec(observation(), 0..40)) {
        let mut now = Duration::ZERO;
        let observations: Vec<_> = observations.into_iter().map(|one| {
            now += one.at;
            Observation { at: now, ..one }
        }).collect();
        let (_, steps) = run(observations.clone());
        for (index, (phase, step)) in steps.iter().enumerate() {
            prop_assert_eq!(*phase == Phase::Settled, step == "settled");
            if *phase == Phase::Settled {
                let last = &observations[index];
                prop_assert_eq!(last.input, Input::Free);
                prop_assert!(last.answer.is_some() && last.busy.is_empty() && last.calls.is_empty());
                // It was so for `settle`, without a change.
                let same = observations[..=index].iter().rev().take_while(|one| {
                    one.watched == last.watched && one.busy.is_empty() && one.calls.is_empty()
                }).last().expect("the last one is the same");
                let before = observations[..=index].iter().rposition(|one| one.watched != last.watched || !one.busy.is_empty() || !one.calls.is_empty());
                prop_assert!(before.is_none() || last.at - same.at >= SETTLE);
            }
            if *phase == Phase::Settled && steps[..index].iter().any(|(_, step)| step == "clear") {
                prop_assert!(observations[index].is_message, "what was cleared settles only with a message that stays");
            }
            if step == "clear" {
                let last = &observations[index];
                prop_assert!(last.input == Input::Holds && last.is_message && last.busy.is_empty() && last.calls.is_empty());
                prop_assert!(last.answer.is_some_and(|answer| answer.is_certain));
            }
            if step.starts_with("send by") {
                let last = &observations[index];
                prop_assert!(last.input != Input::Free && !last.is_echoed && last.busy.is_empty() && last.calls.is_empty());
            }
        }
    }
}

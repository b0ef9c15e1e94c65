use std::collections::BTreeSet;
use std::time::SystemTime;

use crate::clock::moment;
use crate::verdict::CaseResult;

use super::age::{IN_FUTURE, age, old};

/// What gave the answers of a run.
#[derive(Clone, Debug)]
pub(crate) struct Asked<'a> {
    /// The target of the run.
    pub(crate) target: &'a str,
    /// Whether it was asked, and not replayed from transcripts.
    pub(crate) live: bool,
    /// The program that was asked, with its arguments, or the address of the app, if it is known.
    pub(crate) program: Option<String>,
    /// The start of the run: a date and time of RFC 3339.
    pub(crate) started_at: &'a str,
}

/// Whose answers were judged, and how old they are: `agent (python3 agent.py), asked now`,
/// `stored answers of agent, 12 minutes old; agent.py has changed since`. It is the first line of all that is shown of a run.
pub(crate) fn whose<'a>(
    asked: Asked<'_>,
    cases: impl IntoIterator<Item = &'a CaseResult, IntoIter: Clone>,
    now: SystemTime,
) -> String {
    if asked.live {
        let program = asked.program.map(|program| format!(" ({program})")).unwrap_or_default();
        let when = moment(asked.started_at).map(|at| age(at, now)).filter(|age| age.ends_with("ago"));
        return format!("{}{program}, asked {}", asked.target, when.as_deref().unwrap_or("now"));
    }
    let cases = cases.into_iter();
    let targets: BTreeSet<&str> = cases.clone().filter_map(|case| case.answered_by.as_deref()).collect();
    let times: BTreeSet<SystemTime> = cases.clone().filter_map(|case| moment(case.answered_at.as_deref()?)).collect();
    let files: BTreeSet<&str> = cases.clone().filter_map(|case| case.newer.as_ref()?.file.as_deref()).collect();
    let older = cases.filter(|case| case.newer.as_ref().is_some_and(|newer| newer.answer.is_some())).count();
    let mut text = "stored answers".to_owned();
    if !targets.is_empty() {
        text += &format!(" of {}", targets.into_iter().collect::<Vec<_>>().join(" and "));
    }
    let ages: Vec<String> = times.iter().filter_map(|at| old(*at, now)).collect();
    if let (Some(oldest), Some(newest)) = (ages.first(), ages.last()) {
        text += &match oldest == newest {
            true => format!(", {oldest}"),
            false => format!(", {} to {oldest}", newest.trim_end_matches(" old")),
        };
    }
    match times.len() - ages.len() {
        0 => {}
        _ if ages.is_empty() => text += &format!(", {IN_FUTURE}"),
        some => text += &format!("; {some} {IN_FUTURE}"),
    }
    if older > 0 {
        let verb = if older == 1 { "is" } else { "are" };
        text += &format!("; {older} {verb} older than the last answer of the target");
    }
    if !files.is_empty() {
        let verb = if files.len() == 1 { "has" } else { "have" };
        text += &format!("; {} {verb} changed since", files.into_iter().collect::<Vec<_>>().join(" and "));
    }
    text
}

/// The same for a page that is read later: `agent (python3 agent.py), asked 2026-03-01 10:00 UTC`, `stored answers of agent, 12 minutes
/// old, judged 2026-03-01 10:00 UTC`.
pub(crate) fn whose_then<'a>(
    asked: Asked<'_>,
    cases: impl IntoIterator<Item = &'a CaseResult, IntoIter: Clone>,
) -> String {
    let minute =
        |text: &str| format!("{} {} UTC", text.get(..10).unwrap_or(text), text.get(11..16).unwrap_or_default());
    if asked.live {
        let program = asked.program.map(|program| format!(" ({program})")).unwrap_or_default();
        return format!("{}{program}, asked {}", asked.target, minute(asked.started_at));
    }
    // The ages are those at the start of the run.
    let then = moment(asked.started_at).unwrap_or_else(SystemTime::now);
    let judged = minute(asked.started_at);
    format!("{}, judged {judged}", whose(asked, cases, then))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::suite::Case;
    use crate::verdict::{Newer, Status};

    #[test]
    fn the_line_says_whose_answers_and_how_old() {
        let now = moment("2026-03-01T12:00:00Z").unwrap();
        let asked = |live: bool| Asked {
            target: if live { "agent" } else { "replay" },
            live,
            program: Some("python3 agent.py".to_owned()),
            started_at: "2026-03-01T11:59:30Z",
        };
        assert_eq!(whose(asked(true), [], now), "agent (python3 agent.py), asked now");
        let earlier = Asked { started_at: "2026-03-01T09:00:00Z", program: None, ..asked(true) };
        assert_eq!(whose(earlier, [], now), "agent, asked 3h ago");

        assert_eq!(whose_then(asked(true), []), "agent (python3 agent.py), asked 2026-03-01 11:59 UTC");
        let case = |by: &str, at: &str, newer: Option<Newer>| CaseResult {
            answered_by: (!by.is_empty()).then(|| by.to_owned()),
            answered_at: (!at.is_empty()).then(|| at.to_owned()),
            newer,
            ..CaseResult::not_run(&Case::default(), "")
        };
        let stored = |cases: &[CaseResult]| whose(asked(false), cases, now);
        let file = Newer { file: Some("agent.py".to_owned()), ..Newer::default() };
        let answer = Newer { answer: Some(Status::Fail), ..Newer::default() };
        let (recent, early) = ("2026-03-01T11:48:00Z", "2026-02-26T12:00:00Z");
        assert_eq!(stored(&[]), "stored answers");
        assert_eq!(stored(&[case("", "", None)]), "stored answers");
        let then = whose_then(asked(false), &[case("agent", "2026-03-01T11:48:00Z", None)]);
        assert_eq!(then, "stored answers of agent, 11 minutes old, judged 2026-03-01 11:59 UTC");
        assert_eq!(stored(&[case("agent", recent, None)]), "stored answers of agent, 12 minutes old");
        let future = "2030-01-01T00:00:00Z";
        assert_eq!(stored(&[case("agent", future, None)]), "stored answers of agent, recorded in the future");
        assert_eq!(
            stored(&[case("agent", recent, None), case("agent", future, None)]),
            "stored answers of agent, 12 minutes old; 1 recorded in the future"
        );
        assert_eq!(stored(&[case("agent", "2026-02-26T12:00:60Z", None)]), "stored answers of agent");
        assert_eq!(whose(Asked { started_at: future, program: None, ..asked(true) }, [], now), "agent, asked now");
        assert_eq!(
            stored(&[case("agent", recent, Some(file)), case("app", early, None)]),
            "stored answers of agent and app, 12 minutes to 3 days old; agent.py has changed since"
        );
        assert_eq!(
            stored(&[case("agent", early, Some(answer))]),
            "stored answers of agent, 3 days old; 1 is older than the last answer of the target"
        );
    }
}

//! A case in words: its headline, why it could not be judged, the few words of a label, and its result in Markdown: checks with their
//! evidence, and the arithmetic of its score.

use std::collections::BTreeSet;
use std::time::SystemTime;

use crate::checks::{CheckOutcome, Evidence, EvidencePlace};
use crate::clock::moment;
use crate::diagnostic::quoted;
use crate::text::{LineColumn, counted, number, visible, visible_text};
use crate::verdict::{CaseResult, CheckResult, Status, Term, has_default_weights, scores};

use super::{Line, Markup, disarmed};

/// What is wrong with a stale answer. `docs/runs.md` has the same words.
pub(crate) const OTHER_PROMPTS: &str = "the transcript was recorded with other prompts";

/// All reasons for the status of a case: `2 of 7 checks failed · soft score 0.62 is below 0.8`.
pub(crate) fn reasons(case: &CaseResult) -> String {
    let mut reasons = Vec::new();
    let checks = count_checks(case);
    match case.status {
        Status::Error => reasons.push(main_reason(case.reason.as_deref().unwrap_or("not judged"))),
        _ if failed(case) > 0 => reasons.push(format!("{} failed", failed_checks(case))),
        Status::Pass if checks == 0 => reasons.push("no checks".to_owned()),
        Status::Pass => reasons.push(format!("{} passed", counted(checks, "check"))),
        _ => {}
    }
    let unknown = case.checks.unknown_ui.len();
    if unknown > 0 {
        let verb = if unknown == 1 { "is" } else { "are" };
        reasons.push(format!("{} {verb} not defined", counted(unknown, "UI hint")));
    }
    reasons.extend(hard_fail(case).or_else(|| score_and_threshold(case)));
    let passed = case.check_details.iter().filter(|check| check.outcome == CheckOutcome::Passed);
    let by_prompt = passed.filter(|check| check.by_prompt).count();
    if by_prompt > 0 {
        reasons.push(format!("{} passed by your own prompt's words", counted(by_prompt, "check")));
    }
    if !case.attempts.is_empty() {
        reasons.push(format!("attempt {} of the case", case.attempts.len() + 1));
    }
    if let Some(repeats) = &case.repeats {
        let (passed, judged) = repeats.passed();
        let flaky = if repeats.flaky { "FLAKY: " } else { "" };
        reasons.insert(0, format!("{flaky}{passed} of {} passed", counted(judged, "attempt")));
    }
    if case.stale {
        reasons.push(format!("stale: {OTHER_PROMPTS}"));
    }
    reasons.extend(newer_reason(case));
    reasons.join(" · ")
}

/// The status and its main reason: `PASS`, `PARTIAL 0.92`, `FAIL 2 of 7 checks`, `ERROR no such file`. Staleness is not
/// included.
pub(crate) fn label(case: &CaseResult) -> String {
    format!("{} {}", case.status, label_reason(case)).trim_end().to_owned()
}

/// The label of a case without an answer: `ERROR last run failed: no such file`. `last_run_failed` is whether that is why the
/// last run got none, after an earlier one.
pub(crate) fn error_label(error: &str, last_run_failed: bool) -> String {
    let failed_run = if last_run_failed { LAST_RUN_FAILED } else { "" };
    format!("{} {failed_run}{}", Status::Error, short_reason(error)).trim_end().to_owned()
}

fn label_reason(case: &CaseResult) -> String {
    match case.status {
        Status::Error => short_reason(case.reason.as_deref().unwrap_or("not judged")),
        Status::Pass | Status::Partial => {
            let score = case.metrics.scoring.soft_score.shown();
            score.map(rounded_down).filter(|score| score != "1").unwrap_or_default()
        }
        Status::Fail if failed(case) > 0 => failed_checks(case),
        Status::Fail => hard_fail(case).or_else(|| score_and_threshold(case)).unwrap_or_default(),
    }
}

fn failed(case: &CaseResult) -> usize {
    case.check_details.iter().filter(|check| check.outcome == CheckOutcome::Failed).count()
}

fn failed_checks(case: &CaseResult) -> String {
    format!("{} of {}", failed(case), counted(count_checks(case), "check"))
}

fn hard_fail(case: &CaseResult) -> Option<String> {
    let groups: Vec<_> = case.metrics.scoring.hard_fail_triggered.iter().map(|group| group.name()).collect();
    (!groups.is_empty()).then(|| format!("hard fail: {}", groups.join(", ")))
}

fn score_and_threshold(case: &CaseResult) -> Option<String> {
    let score = &case.metrics.scoring.soft_score;
    let (score, threshold) = (score.shown()?, score.threshold?);
    let relation = if score >= threshold { "reaches" } else { "is below" };
    Some(format!("soft score {} {relation} {}", number(score), number(threshold)))
}

/// The check that any response passes.
const ANY_RESPONSE: &str = "outcome:response_only";

/// The number of checks of a case; 0 if there is only the one that any response passes.
pub(crate) fn count_checks(case: &CaseResult) -> usize {
    let checks = &case.check_details;
    if checks.iter().all(|check| check.id == ANY_RESPONSE) { 0 } else { checks.len() }
}

/// That the answer is not the last word of its target: `older answer; the last one of agent fails`.
pub(crate) fn newer_reason(case: &CaseResult) -> Option<String> {
    let newer = case.newer.as_ref()?;
    let target = newer.target.as_deref().unwrap_or("the target");
    let day = newer.recorded_at.as_deref().map(|at| visible_text(at.get(..10).unwrap_or(at)));
    let target = &*visible_text(target);
    let answer = newer.answer.map(|status| match status {
        Status::Error if let Some(day) = &day => format!("older answer; {target} gave none on {day}"),
        _ if let Some(day) = &day => format!("older answer; the one of {target} on {day} did not pass"),
        _ if let Some((passed, judged)) = newer.attempts => {
            format!("older answer; the last time {target} passed {passed} of {judged}")
        }
        Status::Error => format!("older answer; {target} gave none the last time"),
        Status::Partial => format!("older answer; the last one of {target} is partial"),
        Status::Fail | Status::Pass => format!("older answer; the last one of {target} fails"),
    });
    answer.or_else(|| Some("older than its program".to_owned()))
}

/// A score with at most two decimals, rounded down: a score below a threshold must not look as if it reached it.
fn rounded_down(score: f64) -> String {
    // Half a millionth compensates for the error of a double; scores have six decimals.
    let hundredths = (score * 100.0 + 0.000_05).floor() / 100.0;
    let text = format!("{hundredths:.2}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

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
/// `stored answers of agent, 12 minutes old; the program of agent has changed since`. It is the first line of all that is shown of a run.
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
    let is_of_other = |case: &&CaseResult| case.newer.as_ref().is_some_and(|newer| newer.program);
    let changed: BTreeSet<&str> =
        cases.clone().filter(is_of_other).filter_map(|case| case.answered_by.as_deref()).collect();
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
    if !changed.is_empty() {
        let verb = if changed.len() == 1 { "program of {} has" } else { "programs of {} have" };
        let verb = verb.replace("{}", &changed.into_iter().collect::<Vec<_>>().join(" and "));
        text += &format!("; the {verb} changed since");
    }
    text
}

/// Whose answers were judged, for a page that is read later: `agent (python3 agent.py), asked 2026-03-01 10:00 UTC`,
/// `stored answers of agent, 12 minutes old, judged 2026-03-01 10:00 UTC`.
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

/// The longest reason in a label, in code points. A label is beside code.
const LONGEST: usize = 50;

/// How many characters of an id a line shows. A longer one could be a text for the program that reads the line.
pub(crate) const SHOWN_ID: usize = 60;

/// The line of a reason that stands alone: the first, without the path of a program that printed it.
pub(crate) fn main_reason(reason: &str) -> String {
    let mut lines = reason.lines().map(str::trim).filter(|line| !line.is_empty());
    without_program(lines.next().unwrap_or_default()).to_owned()
}

/// The lines of a reason below the one that stands alone: hints, and what a program printed.
pub(crate) fn further_reason(reason: &str) -> &str {
    reason.trim_start().split_once('\n').map_or("", |(_, further)| further.trim_end())
}

/// What comes before the reason why the last run got no answer, if there is an earlier answer.
pub(crate) const LAST_RUN_FAILED: &str = "last run failed: ";

/// A reason in a few words: the error that a failed program printed, or the problem without its remedy. Files have their names
/// instead of their paths. It has no backtick and no character that is not visible.
pub(crate) fn short_reason(reason: &str) -> String {
    let main = main_reason(reason);
    let short = printed(&main).unwrap_or_else(|| main.split_once("; ").map_or(&*main, |(problem, _)| problem));
    cut(&plain(&with_file_names(short)), LONGEST)
}

/// A text without backticks in which every character is visible and harmless to a terminal.
pub(crate) fn plain(text: &str) -> String {
    text.chars().filter(|c| *c != '`').map(visible).collect()
}

/// A text of at most `max` code points; `…` replaces the rest.
pub(crate) fn cut(text: &str, max: usize) -> String {
    match text.char_indices().nth(max) {
        None => text.to_owned(),
        Some(_) => text.chars().take(max.saturating_sub(1)).chain(['…']).collect(),
    }
}

/// The error that a program printed, if the line ends with how the program ended.
fn printed(line: &str) -> Option<&str> {
    let (error, ended) = line.strip_suffix(')')?.rsplit_once(" (`")?;
    (ended.contains("` failed with ") || ended.contains("` was ended by ")).then_some(error)
}

/// A line that a program printed, without its own path at the start.
fn without_program(line: &str) -> &str {
    match line.split_once(": ") {
        Some((program, rest)) if is_path(program) => rest,
        _ => line,
    }
}

fn is_path(text: &str) -> bool {
    let is_absolute = text.starts_with('/') || text.get(1..3).is_some_and(|start| start == ":\\" || start == ":/");
    is_absolute && !text.contains(char::is_whitespace)
}

/// The text with the names of files instead of their absolute paths, where these are in quotes.
fn with_file_names(text: &str) -> String {
    let mut parts = text.split_inclusive(['\'', '"', '`']);
    let mut named = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let path = part.trim_end_matches(['\'', '"', '`']);
        let is_quoted = path.len() < part.len() && (path.starts_with('/') || path.get(1..3) == Some(":\\"));
        let name = path.rsplit(['/', '\\']).next().unwrap_or_default();
        let start = if is_quoted && !name.is_empty() { path.len() - name.len() } else { 0 };
        named.push_str(&part[start..]);
    }
    named
}

/// The soft score as a sum, if the case has a threshold: `(0.35 × 1 formatting + …) / 1 = 0.62`.
pub(crate) fn arithmetic(case: &CaseResult) -> Option<String> {
    let score = &case.metrics.scoring.soft_score;
    let (value, _) = (score.shown()?, score.threshold?);
    let terms: Vec<_> = score
        .terms
        .iter()
        .map(|term| format!("{} × {} {}", number(term.weight), number(term.score), term.group))
        .collect();
    let weights: f64 = score.terms.iter().map(|term| term.weight).sum();
    Some(format!("({}) / {} = {}", terms.join(" + "), number(weights), number(value)))
}

/// The id of a check without the part that names a group of keys.
pub(crate) fn without_group(id: &str) -> &str {
    ["format:", "synthesis:", "morning_brief:"].iter().find_map(|group| id.strip_prefix(group)).unwrap_or(id)
}

/// The name of a check for people: the key of the suite, without its group, and with its entry if the message does not quote it.
pub(crate) fn check_name(check: &CheckResult) -> &str {
    let name = without_group(&check.id);
    match name.split_once(':') {
        Some((key, entry)) if key != "outcome" && check.message.contains(&quoted(entry)) => key,
        _ => name,
    }
}

/// The checks that did not pass.
pub(crate) fn open_checks(case: &CaseResult) -> impl Iterator<Item = &CheckResult> {
    case.check_details.iter().filter(|check| check.outcome != CheckOutcome::Passed)
}

/// The number of hard-fail groups that are listed.
const LISTED: usize = 8;

/// Whether the score decides anything: there is a threshold, or a hard-fail group was triggered.
pub(crate) fn score_decides(case: &CaseResult) -> bool {
    let scoring = &case.metrics.scoring;
    scoring.soft_score.threshold.is_some() || !scoring.hard_fail_triggered.is_empty()
}

/// Whether the score says more than that all checks count the same.
pub(crate) fn score_tells(case: &CaseResult) -> bool {
    score_decides(case) || !has_default_weights(&case.metrics.scoring.soft_score.terms)
}

/// Adds the arithmetic of the score to a page, if the case was judged.
pub(crate) fn add_score(page: &mut Markup, case: &CaseResult) {
    let scoring = &case.metrics.scoring;
    let (terms, Some(value)) = (&scoring.soft_score.terms, scoring.soft_score.value) else { return };
    let weights = if has_default_weights(terms) { " with the default weights" } else { "" };
    page.paragraph(Line::new(format!("Soft score{weights}, weight × group score:")));
    let groups = scores(&case.check_details);
    for Term { group, weight, product, .. } in terms {
        let product = number(*product);
        let score = match groups.iter().find(|score| score.group.name() == group) {
            Some(score) if score.total > 0 => format!("{}/{} = {product}", score.passed, score.total),
            Some(_) => format!("1 = {product} (no checks)"),
            None => format!("1 = {product} (no such group)"),
        };
        page.item(0, Line::default().code(group).say(format!(": {} × {score}", number(*weight))));
    }
    let sum = |of: fn(&Term) -> f64| number(terms.iter().map(of).fold(0.0, |sum, one| sum + one));
    let (products, weights) = (sum(|term| term.product), sum(|term| term.weight));
    let relation = match scoring.soft_score.threshold {
        None => "; there is no threshold.".to_owned(),
        Some(threshold) if value >= threshold => format!(" reaches the threshold {}.", number(threshold)),
        Some(threshold) => format!(" is below the threshold {}.", number(threshold)),
    };
    page.paragraph(Line::new(format!("{products} / {weights} = ")).strong(number(value)).say(relation));
    if !scoring.hard_fail_triggered.is_empty() {
        let groups = scoring.hard_fail_triggered.iter().map(|group| group.name());
        page.paragraph(Line::new("Hard fail: not all checks passed in ").list(groups, "and", LISTED).say("."));
    }
}

/// Adds a check with its evidence, and with its place in `suite`, the path of the suite, if that is given.
pub(crate) fn add_check(page: &mut Markup, check: &CheckResult, suite: Option<&str>) {
    page.item(
        0,
        Line::default().outcome(check.outcome).say(" ").name(check_name(check)).say(": ").message(&check.message),
    );
    if let (Some(suite), Some(LineColumn { line, column })) = (suite, check.suite) {
        page.item(1, Line::default().text(&format!("{suite}:{line}:{column}")));
    }
    add_evidence(page, 1, check);
}

/// Adds the places in the transcript that decided a check, or come nearest, as items of that depth.
pub(crate) fn add_evidence(page: &mut Markup, depth: usize, check: &CheckResult) {
    let is_shown = |near: &&Evidence| check.evidence.iter().any(|evidence| evidence.place == near.place);
    check.evidence.iter().for_each(|evidence| page.item(depth, evidence_line(evidence)));
    for near in check.nearest.iter().filter(|near| !is_shown(near)) {
        page.item(depth, Line::new("nearest: ").then(evidence_line(near)));
    }
}

/// Adds what of a reason its headline does not show.
pub(crate) fn add_further(page: &mut Markup, reason: Option<&str>) {
    let further = further_reason(reason.unwrap_or_default());
    if !further.is_empty() {
        page.code_block(&further.lines().map(disarmed).collect::<Vec<_>>().join("\n"));
    }
}

/// The sign of an outcome: `✓`, `✗`, `?` or `!`.
pub(crate) fn sign(outcome: CheckOutcome) -> &'static str {
    match outcome {
        CheckOutcome::Passed => "✓",
        CheckOutcome::Failed => "✗",
        CheckOutcome::Unknown => "?",
        CheckOutcome::NotJudged => "!",
    }
}

/// Evidence as a list item: ``line 4, column 1: `Git hub` ``.
fn evidence_line(evidence: &Evidence) -> Line {
    let place = match evidence.place {
        EvidencePlace::Response(LineColumn { line, column }) => format!("line {line}, column {column}: "),
        EvidencePlace::Page { page: LineColumn { line, column } } => format!("page, line {line}, column {column}: "),
        EvidencePlace::Telemetry { event } => format!("event {event}: "),
    };
    let line = Line::new(place).code(&evidence.text);
    if evidence.in_prompt { line.say(" (your own prompt)") } else { line }
}

/// Evidence within a message: `` `Git hub` on line 4 ``.
pub(crate) fn evidence_phrase(evidence: &Evidence) -> String {
    match evidence.place {
        EvidencePlace::Response(LineColumn { line, .. }) => format!("{} on line {line}", quoted(&evidence.text)),
        EvidencePlace::Page { page: LineColumn { line, .. } } => {
            format!("{} on line {line} of the page", quoted(&evidence.text))
        }
        EvidencePlace::Telemetry { event } => format!("{} in event {event}", quoted(&evidence.text)),
    }
}

/// Evidence within a label: `line 12: "GitHub: 12"`, of at most `max` code points.
pub(crate) fn evidence_label(evidence: &Evidence, max: usize) -> String {
    match evidence.place {
        EvidencePlace::Telemetry { event } => format!("event {event}"),
        EvidencePlace::Response(LineColumn { line, .. }) | EvidencePlace::Page { page: LineColumn { line, .. } } => {
            let is_page = matches!(evidence.place, EvidencePlace::Page { .. });
            let start = format!("{}line {line}: \"", if is_page { "page, " } else { "" });
            let rest = max.saturating_sub(start.chars().count() + 1);
            format!("{start}{}\"", cut(&plain(&evidence.text), rest))
        }
    }
}

const MINUTE: u64 = 60;
const HOUR: u64 = 60 * MINUTE;
const DAY: u64 = 24 * HOUR;

/// What is shown in the place of an age that is none.
pub(super) const IN_FUTURE: &str = "recorded in the future";

/// The seconds since `moment`. `None` if it is in the future, by more than the clocks of two machines differ.
fn seconds_since(moment: SystemTime, now: SystemTime) -> Option<u64> {
    match now.duration_since(moment) {
        Ok(age) => Some(age.as_secs()),
        Err(ahead) => (ahead.duration().as_secs() < MINUTE).then_some(0),
    }
}

/// The time since `moment`, in few letters: `just now`, `3m ago`, `5h ago`, `12d ago`, `recorded in the future`.
pub(crate) fn age(moment: SystemTime, now: SystemTime) -> String {
    let Some(seconds) = seconds_since(moment, now) else { return IN_FUTURE.to_owned() };
    match seconds {
        ..MINUTE => "just now".to_owned(),
        seconds @ MINUTE..HOUR => format!("{}m ago", seconds / MINUTE),
        seconds @ HOUR..DAY => format!("{}h ago", seconds / HOUR),
        seconds => format!("{}d ago", seconds / DAY),
    }
}

/// How old something of `moment` is: `less than a minute old`, `1 minute old`, `5 hours old`, `12 days old`. `None` if that
/// is in the future.
pub(super) fn old(moment: SystemTime, now: SystemTime) -> Option<String> {
    let (count, unit) = match seconds_since(moment, now)? {
        ..MINUTE => return Some("less than a minute old".to_owned()),
        seconds @ MINUTE..HOUR => (seconds / MINUTE, "minute"),
        seconds @ HOUR..DAY => (seconds / HOUR, "hour"),
        seconds => (seconds / DAY, "day"),
    };
    Some(format!("{count} {unit}{} old", if count == 1 { "" } else { "s" }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::suite::{Case, Group};
    use crate::verdict::{CheckResult, Newer};

    /// A case with 7 checks, of which `failed` do not pass.
    fn case(status: Status, failed: usize, score: f64, threshold: Option<f64>) -> CaseResult {
        let check = |number| CheckResult {
            outcome: if number < failed { CheckOutcome::Failed } else { CheckOutcome::Passed },
            ..CheckResult::default()
        };
        let mut case = CaseResult { status, check_details: (0..7).map(check).collect(), ..CaseResult::default() };
        case.metrics.scoring.soft_score.value = Some(score);
        case.metrics.scoring.soft_score.threshold = threshold;
        case
    }

    #[test]
    fn scores_are_rounded_down() {
        for (value, shown) in
            [(1.0, "1"), (0.8, "0.8"), (0.92, "0.92"), (0.799_999, "0.79"), (0.29, "0.29"), (0.0, "0")]
        {
            assert_eq!(rounded_down(value), shown);
        }
    }

    #[test]
    fn label_has_the_main_reason_and_reasons_has_all() {
        let pass = case(Status::Pass, 0, 0.925, None);
        let checks = |ids: &[&str]| {
            let check = |id: &&str| CheckResult { id: (*id).to_owned(), ..CheckResult::default() };
            CaseResult { check_details: ids.iter().map(check).collect(), ..pass.clone() }
        };
        let below = case(Status::Fail, 0, 0.62, Some(0.8));
        let mut partial = case(Status::Partial, 0, 0.925, None);
        partial.checks.unknown_ui.push("?".to_owned());
        let mut hard = below.clone();
        hard.metrics.scoring.hard_fail_triggered.push(Group::ToolHygiene);
        let cases = [
            checks(&["a"]),
            checks(&[ANY_RESPONSE]),
            partial,
            below,
            CaseResult { stale: true, ..case(Status::Fail, 2, 0.62, Some(0.8)) },
            hard,
            case(Status::Pass, 0, 1.0, None),
            CaseResult::not_run(&Case::default(), "cannot read `a\u{1b}b`"),
            pass,
        ];
        let shown = cases.each_ref().map(|case| format!("{}\n    {:?}\n", label(case), reasons(case)));
        assert_eq!(error_label("cannot read `a\u{1b}b`", true), "ERROR last run failed: cannot read a␛b");
        insta::assert_snapshot!(shown.concat());
    }

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
        let program = Newer { program: true, ..Newer::default() };
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
            stored(&[case("agent", recent, Some(program)), case("app", early, None)]),
            "stored answers of agent and app, 12 minutes to 3 days old; the program of agent has changed since"
        );
        assert_eq!(
            stored(&[case("agent", early, Some(answer))]),
            "stored answers of agent, 3 days old; 1 is older than the last answer of the target"
        );
    }

    const CRASH: &str =
        "RuntimeError: 503 (`python3` failed with exit status 1)\nstandard error ends with:\n  Traceback:\n";
    const NO_FILE: &str = "/root/.pyenv/versions/3.11.9/bin/python3: can't open file '/tmp/shop/agent.py': [Errno 2] No such \
        file or directory (`python3` failed with exit status 2)";

    #[test]
    fn the_first_line_of_a_reason_stands_alone() {
        for (reason, main, further) in [
            (
                CRASH,
                "RuntimeError: 503 (`python3` failed with exit status 1)",
                "standard error ends with:\n  Traceback:",
            ),
            (
                NO_FILE,
                "can't open file '/tmp/shop/agent.py': [Errno 2] No such file or directory (`python3` failed with exit status 2)",
                "",
            ),
            ("last run failed: a", "last run failed: a", ""),
            ("\n a\nb", "a", "b"),
            ("", "", ""),
        ] {
            assert_eq!((main_reason(reason).as_str(), further_reason(reason)), (main, further));
        }
    }

    #[test]
    fn a_short_reason_starts_with_the_reason() {
        for (reason, short) in [
            (CRASH, "RuntimeError: 503"),
            (NO_FILE, "can't open file 'agent.py': [Errno 2] No such fil…"),
            ("no stored answer; `eval-ls record` asks your assistant and stores one", "no stored answer"),
            ("`agnt` is not on PATH; install it, or correct `command`", "agnt is not on PATH"),
            ("a; b (`sh` was ended by signal 9 (SIGKILL))", "a; b"),
            ("`sh` failed with exit status 3; standard error is empty", "sh failed with exit status 3"),
            ("a: b: c", "a: b: c"),
            ("cannot read 'C:\\shop\\a.json' or \"/\"", "cannot read 'a.json' or \"/\""),
            ("a\u{1b}b", "a\u{241b}b"),
            ("", ""),
        ] {
            assert_eq!(short_reason(reason), short);
        }
    }
}

#[cfg(test)]
mod case_tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn ages_are_short() {
        let now = SystemTime::UNIX_EPOCH + Duration::from_secs(1_000 * DAY);
        for (seconds, text) in [
            (0, "just now"),
            (59, "just now"),
            (60, "1m ago"),
            (HOUR - 1, "59m ago"),
            (HOUR, "1h ago"),
            (DAY - 1, "23h ago"),
            (400 * DAY, "400d ago"),
        ] {
            assert_eq!(age(now - Duration::from_secs(seconds), now), text);
        }
        assert_eq!(age(now + Duration::from_secs(59), now), "just now", "clocks differ");
        assert_eq!(age(now + Duration::from_secs(60), now), "recorded in the future");
        assert_eq!(old(now + Duration::from_secs(DAY), now), None);
        for (seconds, text) in [
            (59, "less than a minute old"),
            (60, "1 minute old"),
            (2 * HOUR, "2 hours old"),
            (DAY, "1 day old"),
            (400 * DAY, "400 days old"),
        ] {
            assert_eq!(old(now - Duration::from_secs(seconds), now).as_deref(), Some(text));
        }
    }
}

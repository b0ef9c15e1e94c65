use anstyle::Style;

use crate::checks::CheckOutcome;
use crate::runs::{CaseLine, KeptRun};
use crate::text::{visible_start, visible_text};
use crate::transcript::Transcript;
use crate::verdict::CaseResult;
use crate::wording::{Headline, check_name, further_reason, place_in_transcript, shell_word, sign, whose};

use super::asked;
use super::markdown::differences;
use super::terminal::{style, style_of};

const BOLD: Style = Style::new().bold();
const DIM: Style = Style::new().dimmed();

/// The longest event in a line, in code points. Three lines of a terminal.
const EVENT: usize = 240;

/// A case of a kept run, as `eval-ls show` prints it.
pub(crate) struct ShownCase<'a> {
    /// The run.
    pub(crate) run: &'a KeptRun,
    /// How the case ended.
    pub(crate) line: &'a CaseLine,
    /// Its answer, or why it cannot be shown.
    pub(crate) answer: Result<Option<Transcript>, String>,
    /// The answer of each attempt, if the case ran several times.
    pub(crate) attempts: Vec<Option<Transcript>>,
    /// The last answer that passed before, and the id of its run.
    pub(crate) passed: Option<(String, Transcript)>,
    /// What has changed in the case since the run.
    pub(crate) edits: Vec<&'static str>,
}

/// All that is known of a case in a run: its verdict, prompt, answer, events and checks, and how the answer differs from the last one
/// that passed. The text contains styles; the printer removes them if needed.
pub(crate) fn show(shown: &ShownCase<'_>) -> String {
    let ShownCase { run, line, answer, attempts, passed, edits } = shown;
    let (record, result): (_, &CaseResult) = (run.record(), &line.result);
    let mut page = Page::default();
    let style = style(line.status);
    page.line(&format!(
        "{style}{:<7}{style:#} {BOLD}{}{BOLD:#}  {DIM}{}{DIM:#}",
        line.status,
        visible_text(&line.case),
        visible_text(Headline::of(result).reasons())
    ));
    let suite = record.suites.get(line.suite).map_or("", |suite| &suite.path);
    let whose = whose(asked(record), [result], std::time::SystemTime::now());
    let start = line.range.start;
    page.quiet(&format!("{suite}:{}:{} · run {} · {whose}", start.line, start.column, run.id()));
    match &edits[..] {
        [] => {}
        edits if edits.contains(&"prompts") => {
            page.quiet(&format!(
                "the prompts have changed since; ask again: eval-ls run --cases={}",
                shell_word(&line.case)
            ));
        }
        edits => page.quiet(&format!(
            "the {} have changed since; judge the answer again: eval-ls run --answers-of {}",
            edits.join(" and "),
            run.id()
        )),
    }
    further_reason(result.reason.as_deref().unwrap_or_default()).lines().for_each(|reason| page.quiet(reason));
    let sent = answer.as_ref().ok().and_then(Option::as_ref);
    for setup in sent.and_then(|sent| sent.setup_prompts.as_ref()).into_iter().flatten() {
        page.section("Setup prompt", setup);
    }
    page.section("Prompt", sent.and_then(|sent| sent.prompt.as_ref()).unwrap_or(&result.prompt));
    match answer {
        Ok(Some(_)) if !attempts.is_empty() => {
            let repeats = result.repeats.iter().flat_map(|repeats| &repeats.attempts);
            for (number, (repeat, answer)) in repeats.zip(attempts).enumerate() {
                let said = answer.as_ref().map(|answer| answer.response.as_str());
                let said = said.or(repeat.reason.as_deref()).unwrap_or("no answer");
                page.section(&format!("Attempt {} · {}", number + 1, repeat.status), said);
            }
        }
        Ok(Some(answer)) => {
            page.section("Answer", if answer.response.trim().is_empty() { "(empty)" } else { &answer.response })
        }
        Ok(None) => page.section("Answer", "none"),
        Err(fault) => page.section("Answer", fault),
    }
    let events: Vec<String> = sent
        .map(|sent| sent.telemetry.iter().map(|event| visible_start(&event.text(), EVENT)).collect())
        .unwrap_or_default();
    if !events.is_empty() {
        page.section("Telemetry", &events.join("\n"));
    }
    if !result.check_details.is_empty() {
        page.head("Checks");
    }
    for check in &result.check_details {
        let style = style_of(check.outcome);
        page.line(&format!(
            "  {style}{}{style:#} {}: {}",
            sign(check.outcome),
            visible_text(check_name(check)),
            visible_text(&check.message)
        ));
        let shown = if check.outcome == CheckOutcome::Passed { &[][..] } else { &check.evidence[..] };
        for evidence in shown {
            page.quiet(&format!("  {}: {}", place_in_transcript(evidence), evidence.text));
        }
        for near in check.nearest.iter().filter(|_| check.outcome != CheckOutcome::Passed) {
            page.quiet(&format!("  nearest: {}: {}", place_in_transcript(near), near.text));
        }
    }
    if let (Some((run, before)), Some(now)) = (passed, sent) {
        let changes = differences(&before.response, &now.response);
        let changes: Vec<String> =
            changes.into_iter().map(|(sign, said)| format!("{sign} {said}").trim_end().to_owned()).collect();
        let changes = if changes.is_empty() { "no line differs".to_owned() } else { changes.join("\n") };
        page.section(&format!("Changes since the last answer that passed ({run})"), &changes);
    }
    page.0
}

/// A text of lines.
#[derive(Default)]
struct Page(String);

impl Page {
    fn line(&mut self, line: &str) {
        self.0.push_str(line.trim_end());
        self.0.push('\n');
    }

    fn quiet(&mut self, text: &str) {
        self.line(&format!("  {DIM}{}{DIM:#}", visible_text(text)));
    }

    fn head(&mut self, name: &str) {
        self.line("");
        self.line(&format!("{BOLD}{}{BOLD:#}", visible_text(name)));
    }

    /// A part with text of any number of lines.
    fn section(&mut self, name: &str, text: &str) {
        self.head(name);
        text.lines().for_each(|line| self.line(&format!("  {}", visible_text(line))));
    }
}

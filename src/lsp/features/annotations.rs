//! Notes beside the text: inlay hints behind it (`textDocument/inlayHint`), what they say at length (`inlayHint/resolve`), and code lenses above a
//! suite and its cases: run, status, result (`textDocument/codeLens`).

use std::collections::HashMap;
use std::time::{Instant, SystemTime};

use ls_types::{CodeLens, InlayHint, InlayHintLabel, InlayHintTooltip, Range, Uri};
use serde::{Deserialize, Serialize};

use crate::analysis::inlay_hints::{self, HintSubject, HintsWanted, VerdictHints};
use crate::analysis::{Answer, JudgedCase, VerdictCounts};
use crate::cancellation::checkpoint;
use crate::lsp::convert::to_lsp;
use crate::lsp::protocol::{
    ACCEPT, Argument, CHALLENGE_SUITE, CHOOSE_TARGET, OPEN_REPORT, OPEN_RESULT, RUN_CASE, RUN_FAILED, RUN_SUITE, STOP,
};
use crate::lsp::session::open_document::{Since, Snapshot};
use crate::suite::PlacedCase;
use crate::text::{Span, counted};
use crate::verdict::Status;

use super::test_explorer::Running;

/// What a hint is about, for [`resolve`]: it comes back from the client with the hint.
#[derive(Debug, Serialize, Deserialize)]
struct About {
    uri: Uri,
    version: i32,
    subject: HintSubject,
}

/// The most hints that have tooltips in one response to a client that cannot resolve them. Tooltips are long.
pub(crate) const MOST_WITH_TOOLTIPS: usize = 1_000;

/// The notes within a range. `now` is what ages are counted from. `is_challenged` is whether someone asked for the challenges of the
/// suite; otherwise only a file that shows all verdicts shows them. A client with lenses
/// gets no hint on a case unless it shows all verdicts. Cases that are `running` have none.
pub(crate) fn inlay_hints(
    snapshot: &Snapshot,
    range: Range,
    now: SystemTime,
    is_challenged: bool,
    running: &HashMap<String, Since>,
) -> Vec<InlayHint> {
    let Snapshot { document, answers, support, .. } = snapshot;
    let Some(within) = snapshot.span(range) else { return Vec::new() };
    let settings = &snapshot.settings;
    let wanted = HintsWanted {
        verdicts: settings.verdicts,
        challenges: settings.challenges && (is_challenged || settings.verdicts == VerdictHints::All),
    };
    let mut hints = inlay_hints::inlay_hints(document, answers, within, wanted);
    let has_lens = support.shows_lenses && settings.verdicts != VerdictHints::All;
    let is_running = |case: usize| {
        let id = document.suite().cases.get(case).and_then(|placed| placed.case.id.as_ref());
        id.is_some_and(|id| running.contains_key(&id.value))
    };
    hints.retain(|hint| !matches!(hint.subject, HintSubject::Case(case) if has_lens || is_running(case)));
    let has_tooltips = hints.len() <= MOST_WITH_TOOLTIPS;
    let hint = |hint: inlay_hints::InlayHint| {
        let subject = hint.subject;
        let hint = to_lsp_hint(snapshot, hint);
        match support.resolves_hint_tooltips {
            true => resolvable(snapshot, hint, subject),
            false if has_tooltips => with_tooltip(snapshot, hint, subject, now),
            false => hint,
        }
    };
    hints.into_iter().map(hint).collect()
}

/// The open document that a hint is of; `None` of a hint that is none of ours.
pub(crate) fn document_of(hint: &InlayHint) -> Option<Uri> {
    about(hint).map(|about| about.uri)
}

/// The hint with what it says at length, unless the document has changed since.
pub(crate) fn resolve(snapshot: &Snapshot, hint: InlayHint, now: SystemTime) -> InlayHint {
    match about(&hint).filter(|about| about.version == snapshot.version) {
        Some(about) => with_tooltip(snapshot, hint, about.subject, now),
        None => hint,
    }
}

fn to_lsp_hint(snapshot: &Snapshot, hint: inlay_hints::InlayHint) -> InlayHint {
    InlayHint {
        position: to_lsp::position(snapshot.document.text(), hint.offset, snapshot.support.encoding),
        label: InlayHintLabel::String(hint.label),
        kind: None,
        text_edits: None,
        tooltip: None,
        padding_left: Some(true),
        padding_right: None,
        data: None,
    }
}

fn resolvable(snapshot: &Snapshot, hint: InlayHint, subject: HintSubject) -> InlayHint {
    let about = About { uri: snapshot.uri.clone(), version: snapshot.version, subject };
    InlayHint { data: serde_json::to_value(about).ok(), ..hint }
}

fn with_tooltip(snapshot: &Snapshot, hint: InlayHint, subject: HintSubject, now: SystemTime) -> InlayHint {
    checkpoint();
    let page = inlay_hints::hint_page(&snapshot.document, &snapshot.answers, subject, now);
    let content = page.map(|page| to_lsp::markup(&page, snapshot.support.hover_markdown));
    InlayHint { tooltip: content.map(InlayHintTooltip::MarkupContent), ..hint }
}

fn about(hint: &InlayHint) -> Option<About> {
    serde_json::from_value(hint.data.clone()?).ok()
}

/// The lenses of a suite. `may_run` is false if runs are disabled. `challenges` adds the summary of its challenges.
pub(crate) fn code_lenses(suite: &Snapshot, running: &Running, may_run: bool, challenges: bool) -> Vec<CodeLens> {
    let lenses = Lenses { suite, running, may_run };
    let verdicts: Vec<_> = suite.document.verdicts(&suite.answers).collect();
    let mut summary = VerdictCounts::default();
    verdicts.iter().for_each(|verdict| summary.add(verdict.as_deref()));
    let cases = suite.document.suite().cases.iter().zip(&verdicts);
    let of_cases = cases.flat_map(|(placed, verdict)| lenses.of_case(placed, verdict.as_deref()));
    let of_suite = lenses.of_suite(summary, challenges);
    let mut lenses: Vec<CodeLens> = of_suite.into_iter().chain(of_cases).collect();
    // Some clients sort the lenses of a line by their starts.
    for at in 1..lenses.len() {
        let (before, next) = (lenses[at - 1].range.start, &mut lenses[at].range.start);
        if next.line == before.line {
            next.character = before.character + 1;
        }
    }
    lenses
}

struct Lenses<'a> {
    suite: &'a Snapshot,
    running: &'a Running,
    may_run: bool,
}

impl Lenses<'_> {
    fn of_suite(&self, summary: VerdictCounts, challenges: bool) -> Vec<CodeLens> {
        let total = summary.total();
        if total == 0 {
            return Vec::new();
        }
        let range =
            self.suite.range(self.suite.document.suite().list.as_ref().map_or(Span::empty(0), |list| list.key()));
        let lens = |title: String, command: &str| self.lens(range, title, command, None);
        let mut lenses = Vec::new();
        let stale = if summary.stale == 0 { String::new() } else { format!(" ({} stale)", summary.stale) };
        let counts: String = summary.words().iter().map(|words| format!(" · {words}")).chain([stale]).collect();
        if self.running.cases.is_empty() {
            let title = match self.may_run {
                true => format!("Run suite ({total}){counts}"),
                false => format!("Runs are disabled: workspace not trusted{counts}"),
            };
            lenses.push(lens(title, RUN_SUITE));
            if self.may_run && summary.fail + summary.error > 0 {
                lenses.push(lens(format!("Run failed ({})", summary.fail + summary.error), RUN_FAILED));
            }
        } else {
            lenses.push(lens(format!("Running, {} of {total} left · Stop", self.running.cases.len()), STOP));
        }
        if total > summary.not_run {
            lenses.push(lens("Results".to_owned(), OPEN_RESULT));
        }
        if self.suite.answers.around.has_run {
            lenses.push(lens("Report".to_owned(), OPEN_REPORT));
        }
        if challenges {
            let summary = self.suite.document.challenges(&self.suite.answers).summary();
            let tested = counted(summary.tested, "case");
            // The page of the lens has the rest.
            lenses.push(lens(format!("Challenges: {} of {tested} pass", summary.weak), CHALLENGE_SUITE));
        }
        lenses
    }

    fn of_case(&self, placed: &PlacedCase, verdict: Option<&JudgedCase>) -> Vec<CodeLens> {
        let Some(id) = &placed.case.id else { return Vec::new() };
        let range = self.suite.range(placed.absolute(id.key()));
        let lens = |title: String, command: &str| self.lens(range, title, command, Some(&id.value));
        let mut lenses = Vec::new();
        let status = verdict.map(|verdict| verdict.label());
        match self.running.cases.get(&id.value) {
            Some(since) => lenses.push(lens(format!("{} · Stop", duration(*since)), STOP)),
            None if self.may_run => {
                let title = status.map_or_else(|| "Run case".to_owned(), |status| format!("Run · {status}"));
                lenses.push(lens(title, RUN_CASE));
            }
            None => lenses.extend(status.map(|status| lens(status, OPEN_RESULT))),
        }
        if verdict.is_some_and(|verdict| self.needs_target(verdict)) {
            lenses.push(lens("Choose target".to_owned(), CHOOSE_TARGET));
        } else if verdict.is_some() {
            lenses.push(lens("Open".to_owned(), OPEN_RESULT));
        }
        let is_new = |answer: &Answer| answer.transcript.is_ok() && answer.file.is_none();
        if verdict.is_some_and(|verdict| is_new(&verdict.answer)) && !self.suite.answers.is_stored(&id.value) {
            let passes = verdict.is_some_and(|verdict| verdict.status() <= Status::Partial);
            lenses.push(lens(if passes { "Accept" } else { "Accept (fails)" }.to_owned(), ACCEPT));
        }
        lenses
    }

    /// Whether a case has no verdict because the selected target has no transcript to replay.
    fn needs_target(&self, verdict: &JudgedCase) -> bool {
        let Answer { transcript, file, failure, .. } = &*verdict.answer;
        self.may_run && self.running.replays && transcript.is_err() && file.is_none() && failure.is_some()
    }

    fn lens(&self, range: Range, title: String, command: &str, case: Option<&str>) -> CodeLens {
        let argument =
            Argument { uri: Some(self.suite.uri.clone()), case: case.map(str::to_owned), ..Argument::default() };
        CodeLens { range, command: Some(argument.command(&title, command)), data: None }
    }
}

fn duration(since: Since) -> String {
    match since {
        Some(since) => format!("Running {} s", Instant::now().saturating_duration_since(since).as_secs()),
        None => "Queued".to_owned(),
    }
}

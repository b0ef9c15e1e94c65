//! The diagnostics of a suite's findings as they were sent last, so that an edit writes only those that changed.
//!
//! What is kept belongs to a case. So a keystroke costs a look at the changed cases, and at those whose findings are sent.

use std::mem;
use std::ops::Range;
use std::sync::Arc;
use std::time::{Duration, Instant};

use ls_types::{Position, Uri};
use serde_json::value::RawValue;

use super::diagnostics::{MAX_DIAGNOSTICS, internal_error, json, more, of_configuration, written};
use super::{configurations, verdict_diagnostics};
use crate::analysis::{Basis, Document, LintedCase, PlacedFinding, one_for_each_cause};
use crate::diagnostic::Severity;
use crate::lsp::client::support::Support;
use crate::lsp::convert::to_lsp;
use crate::lsp::session::snapshot::Snapshot;
use crate::lsp::session::state::Current;
use crate::text::Span;

/// The severities, the most severe first.
const SEVERITIES: [Severity; 3] = [Severity::Error, Severity::Warning, Severity::Hint];

/// The index of a case, or the number of cases for the suite, and the index of one of its findings.
type Place = (usize, usize);

/// The number of findings of each of the [`SEVERITIES`].
type Counts = [usize; 3];

/// See the module's page.
#[derive(Default)]
pub(in crate::lsp) struct SentFindings {
    /// What the findings of all cases depend on.
    basis: Option<Basis>,
    /// The stamps of the cases.
    stamps: Vec<u64>,
    /// The findings of each case, and then those of the suite.
    groups: Vec<SentGroup>,
    /// The findings in all groups.
    totals: Counts,
    verdicts: Vec<Arc<RawValue>>,
    /// How long it took to find the verdicts.
    judging: Duration,
}

/// If the verdicts took longer, or those of the cases that changed, the next findings do not wait for them.
const SLOW: Duration = Duration::from_millis(50);

/// The findings of a case, or of the suite.
#[derive(Default)]
struct SentGroup {
    /// The findings that are reported, in the order of the text, each with its diagnostic if that was sent.
    reported: Vec<(PlacedFinding, Option<Arc<RawValue>>)>,
    /// Those with a cause that other cases can have. The suite has one finding for all of them.
    shared: Vec<PlacedFinding>,
    counts: Counts,
    /// Whether the case has a key that its version does not have yet.
    has_later_key: bool,
    /// The position from which the spans of the sent diagnostics count.
    start: Position,
}

impl SentFindings {
    /// The diagnostics of a document as JSON, which are sent next.
    ///
    /// # Errors
    /// If a diagnostic cannot be written as JSON.
    pub(in crate::lsp) fn of_current(
        &mut self,
        uri: &Uri,
        current: &Current,
        support: &Support,
    ) -> serde_json::Result<Vec<Arc<RawValue>>> {
        match current {
            Current::Suite(snapshot) => self.of_suite(snapshot),
            Current::Unreadable(_) => written([internal_error()]),
            Current::Configuration(configuration) => written(of_configuration(configuration, uri, support)),
            Current::OpenConfiguration(configuration) => written(configurations::diagnostics(configuration)),
            Current::Closed(_) | Current::Nothing => Ok(Vec::new()),
        }
    }

    /// The diagnostics of a suite as JSON, which are sent next.
    ///
    /// # Errors
    /// If a diagnostic cannot be written as JSON.
    pub(in crate::lsp) fn of_suite(&mut self, snapshot: &Snapshot) -> serde_json::Result<Vec<Arc<RawValue>>> {
        let mut diagnostics = self.findings(snapshot)?;
        let start = Instant::now();
        self.verdicts = written(verdict_diagnostics::of_suite(snapshot, MAX_DIAGNOSTICS))?;
        self.judging = start.elapsed();
        diagnostics.extend(self.verdicts.iter().cloned());
        Ok(diagnostics)
    }

    /// The findings in a suite with the verdicts that were sent last, if the verdicts probably take long.
    ///
    /// # Errors
    /// If a diagnostic cannot be written as JSON.
    pub(in crate::lsp) fn before_verdicts(
        &mut self,
        snapshot: &Snapshot,
    ) -> serde_json::Result<Option<Vec<Arc<RawValue>>>> {
        let document = snapshot.document.as_ref();
        let (_, new) = changed(&self.stamps, document.stamps());
        if self.judging.max(document.last_judging(new)) <= SLOW {
            return Ok(None);
        }
        let mut diagnostics = self.findings(snapshot)?;
        diagnostics.extend(self.verdicts.iter().cloned());
        Ok(Some(diagnostics))
    }

    fn findings(&mut self, snapshot: &Snapshot) -> serde_json::Result<Vec<Arc<RawValue>>> {
        self.update(snapshot);
        if snapshot.is_blank() {
            return Ok(Vec::new());
        }
        let document = snapshot.document.as_ref();
        let (chosen, left_out) = self.most_severe(document);
        let mut diagnostics = Vec::with_capacity(chosen.len() + 1);
        let mut previous = None;
        for (group, index) in chosen {
            let start = start_of(group, document);
            if previous.replace(group) != Some(group) {
                self.groups[group].place(start, snapshot);
            }
            diagnostics.push(self.groups[group].json(index, start, snapshot)?);
        }
        diagnostics.extend(written(left_out.map(|(count, gravest)| more(count, gravest)))?);
        Ok(diagnostics)
    }

    /// Keeps the groups of the cases that did not change, and finds the others.
    fn update(&mut self, snapshot: &Snapshot) {
        let document = snapshot.document.as_ref();
        let basis = document.basis(&snapshot.workspace);
        if !self.basis.as_ref().is_some_and(|known| known.is_same_for_whole_cases(&basis)) {
            *self = SentFindings { verdicts: mem::take(&mut self.verdicts), judging: self.judging, ..Self::default() };
        }
        let doubts_changed = self.basis.as_ref().is_some_and(|known| *known != basis);
        // The suite's findings are found again each time.
        for group in self.groups.drain(self.stamps.len()..) {
            subtract(&mut self.totals, &group.counts);
        }
        let (old, new) = changed(&self.stamps, document.stamps());
        self.replace(old.clone(), new.clone(), &basis, snapshot);
        self.stamps.splice(old, document.stamps()[new].iter().copied());
        if doubts_changed {
            document
                .faulty_cases()
                .for_each(|index| self.replace(index..index + 1, index..index + 1, &basis, snapshot));
        }

        let later = self.groups.iter().enumerate().filter(|(_, group)| group.has_later_key).map(|(index, _)| index);
        let of_suite = document.group_of_suite(&later.collect::<Vec<_>>(), &basis);
        let mut of_suite = document.reported(&of_suite, &snapshot.workspace);
        for (index, group) in self.groups.iter_mut().enumerate().filter(|(_, group)| !group.shared.is_empty()) {
            group.shared.iter_mut().for_each(|finding| finding.start = start_of(index, document));
        }
        of_suite.extend(one_for_each_cause(self.groups.iter().flat_map(|group| &group.shared)));
        let of_suite = SentGroup::new(of_suite);
        add(&mut self.totals, &of_suite.counts);
        self.groups.push(of_suite);
        self.basis = Some(basis);
    }

    /// Replaces groups by those of the cases in `new`.
    fn replace(&mut self, old: Range<usize>, new: Range<usize>, basis: &Basis, snapshot: &Snapshot) {
        let linted = snapshot.document.linted(new, basis);
        let found: Vec<_> = linted.iter().map(|case| SentGroup::of_case(case, snapshot)).collect();
        found.iter().for_each(|group| add(&mut self.totals, &group.counts));
        for group in self.groups.splice(old, found) {
            subtract(&mut self.totals, &group.counts);
        }
    }

    /// The most severe findings in the order of the text, by group and index, and how many others there are, with the
    /// most severe one of those.
    fn most_severe(&self, document: &Document) -> (Vec<Place>, Option<(usize, Severity)>) {
        let all: usize = self.totals.iter().sum();
        let mut room = if all > MAX_DIAGNOSTICS { MAX_DIAGNOSTICS - 1 } else { MAX_DIAGNOSTICS };
        let mut chosen = Vec::with_capacity(room.min(all));
        let mut gravest_left_out = None;
        for (severity, &total) in self.totals.iter().enumerate() {
            let mut of_severity = self.of_severity(severity, room.min(total), document);
            if total > of_severity.len() {
                gravest_left_out = gravest_left_out.or(Some(SEVERITIES[severity]));
            }
            room -= of_severity.len();
            chosen.append(&mut of_severity);
        }
        chosen.sort_by_key(|&place| self.order(place, document));
        let left_out = gravest_left_out.map(|gravest| (all - chosen.len(), gravest));
        (chosen, left_out)
    }

    /// The first `most` findings of a severity. Those of the last group, the suite's, can be anywhere in the text.
    fn of_severity(&self, severity: usize, most: usize, document: &Document) -> Vec<Place> {
        let Some((suite, cases)) = self.groups.split_last().filter(|_| most > 0) else { return Vec::new() };
        let of_group = |(index, group): (usize, &SentGroup)| {
            let all = group.reported.iter().enumerate();
            let wanted = all.filter(|(_, (finding, _))| finding.severity == SEVERITIES[severity]);
            wanted.map(|(nth, _)| (index, nth)).collect::<Vec<_>>()
        };
        let with_some = cases.iter().enumerate().filter(|(_, group)| group.counts[severity] > 0);
        let mut found: Vec<_> = with_some.flat_map(of_group).take(most).collect();
        found.extend(of_group((cases.len(), suite)));
        if found.len() > most {
            found.sort_by_key(|&place| self.order(place, document));
            found.truncate(most);
        }
        found
    }

    fn order(&self, (group, index): Place, document: &Document) -> (Span, &'static str) {
        self.groups[group].reported[index].0.order_from(start_of(group, document))
    }
}

impl SentGroup {
    fn new(mut reported: Vec<PlacedFinding>) -> SentGroup {
        reported.sort_by_key(|finding| (finding.span(), finding.lint()));
        let count = |severity| reported.iter().filter(|finding| finding.severity == severity).count();
        let counts = SEVERITIES.map(count);
        let reported = reported.into_iter().map(|finding| (finding, None)).collect();
        SentGroup { reported, counts, ..SentGroup::default() }
    }

    fn of_case(case: &LintedCase, snapshot: &Snapshot) -> SentGroup {
        let reported = snapshot.document.reported(&case.group, &snapshot.workspace);
        let (shared, own) = reported.into_iter().partition(|finding| finding.cause().is_some());
        SentGroup { has_later_key: case.has_later_key, shared, ..SentGroup::new(own) }
    }

    /// Drops the diagnostics that have other positions now. The group begins at the byte `start`.
    fn place(&mut self, start: usize, snapshot: &Snapshot) {
        let start = to_lsp::position(snapshot.document.text(), start, snapshot.support.encoding);
        if start != mem::replace(&mut self.start, start) {
            self.reported.iter_mut().for_each(|(_, json)| *json = None);
        }
    }

    /// The diagnostic of a finding as JSON. The group begins at the byte `start`.
    fn json(&mut self, index: usize, start: usize, snapshot: &Snapshot) -> serde_json::Result<Arc<RawValue>> {
        let (finding, sent) = &mut self.reported[index];
        if let Some(sent) = sent {
            return Ok(Arc::clone(sent));
        }
        finding.start = start;
        let written = json(&to_lsp::diagnostic(&finding.to_finding(), &snapshot.origin()))?;
        Ok(Arc::clone(sent.insert(written)))
    }
}

fn add(totals: &mut Counts, counts: &Counts) {
    totals.iter_mut().zip(counts).for_each(|(total, count)| *total += count);
}

fn subtract(totals: &mut Counts, counts: &Counts) {
    totals.iter_mut().zip(counts).for_each(|(total, count)| *total -= count);
}

/// The byte at which a group begins.
fn start_of(group: usize, document: &Document) -> usize {
    document.suite().cases.get(group).map_or(0, |case| case.start)
}

/// What differs between two lists: a range of each.
fn changed(old: &[u64], new: &[u64]) -> (Range<usize>, Range<usize>) {
    let start = old.iter().zip(new).take_while(|(old, new)| old == new).count();
    let rest = old.len().min(new.len()) - start;
    let end = old.iter().rev().zip(new.iter().rev()).take(rest).take_while(|(old, new)| old == new).count();
    (start..old.len() - end, start..new.len() - end)
}

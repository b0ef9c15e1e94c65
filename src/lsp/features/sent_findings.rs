//! The diagnostics of a suite's findings as they were sent last, so that an edit writes only those that changed.
//!
//! What is kept belongs to a case. So a keystroke costs a look at each case with findings, and not at each finding.

use std::mem;
use std::sync::Arc;
use std::time::{Duration, Instant};

use serde_json::value::RawValue;
use tower_lsp_server::ls_types::Position;

use super::diagnostics::{MAX_DIAGNOSTICS, json, more, written};
use super::verdict_diagnostics;
use crate::analysis::{FindingGroup, PlacedFinding, Workspace};
use crate::diagnostic::Severity;
use crate::lsp::convert::to_lsp;
use crate::lsp::session::snapshot::Snapshot;

/// The severities, the most severe first.
const SEVERITIES: [Severity; 3] = [Severity::Error, Severity::Warning, Severity::Hint];
/// The number of groups after an unknown one that are searched for a known one. More are only at once new if cases are
/// pasted, deleted or sorted, and then writing them again is cheap enough.
const REACH: usize = 64;

/// The index of a group, and of a finding in it.
type Place = (usize, usize);

/// See the module's page.
#[derive(Default)]
pub(in crate::lsp) struct SentFindings {
    groups: Vec<SentGroup>,
    workspace: Option<Arc<Workspace>>,
    verdicts: Vec<Arc<RawValue>>,
    /// How long it took to find the verdicts.
    judging: Duration,
}

/// If the verdicts took longer, the next findings do not wait for them.
const SLOW: Duration = Duration::from_millis(50);

/// The findings of a case, or of the suite.
struct SentGroup {
    group: FindingGroup,
    /// The findings that are reported, in the order of the text, each with its diagnostic if that was sent.
    reported: Vec<(PlacedFinding, Option<Arc<RawValue>>)>,
    /// The number of findings of each of the [`SEVERITIES`].
    counts: [usize; 3],
    /// The position from which the spans of the sent diagnostics count.
    start: Position,
}

impl SentFindings {
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
        if self.judging <= SLOW {
            return Ok(None);
        }
        let mut diagnostics = self.findings(snapshot)?;
        diagnostics.extend(self.verdicts.iter().cloned());
        Ok(Some(diagnostics))
    }

    fn findings(&mut self, snapshot: &Snapshot) -> serde_json::Result<Vec<Arc<RawValue>>> {
        self.update(snapshot);
        let (chosen, left_out) = self.most_severe();
        let mut diagnostics = Vec::with_capacity(chosen.len() + 1);
        let mut previous = None;
        for (group, index) in chosen {
            if previous.replace(group) != Some(group) {
                self.groups[group].place(snapshot);
            }
            diagnostics.push(self.groups[group].json(index, snapshot)?);
        }
        diagnostics.extend(written(left_out.map(|(count, gravest)| more(count, gravest)))?);
        Ok(diagnostics)
    }

    /// Keeps the groups that are still there, and adds the new ones.
    fn update(&mut self, snapshot: &Snapshot) {
        let is_same = |known: &Arc<Workspace>| Arc::ptr_eq(known, &snapshot.workspace);
        if !self.workspace.as_ref().is_some_and(is_same) {
            self.groups.clear();
            self.workspace = Some(Arc::clone(&snapshot.workspace));
        }
        let groups = snapshot.document.finding_groups(&snapshot.workspace);
        let room = groups.len();
        let mut before = mem::replace(&mut self.groups, Vec::with_capacity(room)).into_iter();
        for group in groups {
            let known = before.as_slice().iter().take(REACH).position(|known| known.group.is_same(&group));
            self.groups.push(match known.and_then(|skipped| before.nth(skipped)) {
                Some(known) => SentGroup { group, ..known },
                None => SentGroup::new(group, snapshot),
            });
        }
    }

    /// The most severe findings in the order of the text, by group and index, and how many others there are, with the
    /// most severe one of those.
    fn most_severe(&self) -> (Vec<Place>, Option<(usize, Severity)>) {
        let mut room = MAX_DIAGNOSTICS;
        let total = |severity: usize| self.groups.iter().map(|group| group.counts[severity]).sum::<usize>();
        let totals: [usize; 3] = std::array::from_fn(total);
        let all: usize = totals.iter().sum();
        if all > MAX_DIAGNOSTICS {
            room -= 1;
        }
        let mut chosen = Vec::with_capacity(room.min(all));
        let mut gravest_left_out = None;
        for (severity, total) in totals.into_iter().enumerate() {
            let mut of_severity = self.of_severity(severity, room.min(total));
            if total > of_severity.len() {
                gravest_left_out = gravest_left_out.or(Some(SEVERITIES[severity]));
            }
            room -= of_severity.len();
            chosen.append(&mut of_severity);
        }
        chosen.sort_by_key(|&place| self.order(place));
        let left_out = gravest_left_out.map(|gravest| (all - chosen.len(), gravest));
        (chosen, left_out)
    }

    /// The first `most` findings of a severity. Those of the last group, the suite's, can be anywhere in the text.
    fn of_severity(&self, severity: usize, most: usize) -> Vec<Place> {
        let Some((suite, cases)) = self.groups.split_last().filter(|_| most > 0) else { return Vec::new() };
        let of_group = |(index, group): (usize, &SentGroup)| {
            let has_some = group.counts[severity] > 0;
            let all = group.reported.iter().enumerate().filter(|_| has_some);
            let wanted = all.filter(|(_, (finding, _))| finding.severity == SEVERITIES[severity]);
            wanted.map(|(nth, _)| (index, nth)).collect::<Vec<_>>()
        };
        let mut found: Vec<_> = cases.iter().enumerate().flat_map(of_group).take(most).collect();
        found.extend(of_group((cases.len(), suite)));
        if found.len() > most {
            found.sort_by_key(|&place| self.order(place));
            found.truncate(most);
        }
        found
    }

    fn order(&self, (group, index): Place) -> (crate::text::Span, &'static str) {
        let group = &self.groups[group];
        group.reported[index].0.order_from(group.group.start)
    }
}

impl SentGroup {
    fn new(group: FindingGroup, snapshot: &Snapshot) -> SentGroup {
        let mut reported = snapshot.document.reported(&group, &snapshot.workspace);
        reported.sort_by_key(|finding| (finding.span(), finding.lint()));
        let count = |severity| reported.iter().filter(|finding| finding.severity == severity).count();
        let counts = SEVERITIES.map(count);
        let reported = reported.into_iter().map(|finding| (finding, None)).collect();
        SentGroup { group, reported, counts, start: Position::default() }
    }

    /// Drops the diagnostics that have other positions now.
    fn place(&mut self, snapshot: &Snapshot) {
        let start = to_lsp::position(snapshot.document.text(), self.group.start, snapshot.support.encoding);
        if start != self.start {
            self.start = start;
            self.reported.iter_mut().for_each(|(_, json)| *json = None);
        }
    }

    /// The diagnostic of a finding as JSON.
    fn json(&mut self, index: usize, snapshot: &Snapshot) -> serde_json::Result<Arc<RawValue>> {
        let (finding, sent) = &mut self.reported[index];
        if let Some(sent) = sent {
            return Ok(Arc::clone(sent));
        }
        finding.start = self.group.start;
        let written = json(&to_lsp::diagnostic(&finding.to_finding(), &snapshot.origin()))?;
        Ok(Arc::clone(sent.insert(written)))
    }
}

//! The diagnostics of a document as JSON, and how long its verdicts take.

use std::sync::Arc;
use std::time::{Duration, Instant};

use ls_types::Uri;
use serde_json::value::RawValue;

use super::diagnostics::{MAX_DIAGNOSTICS, internal_error, of_configuration, of_findings, written};
use super::{configurations, verdict_diagnostics};
use crate::lsp::client::support::Support;
use crate::lsp::session::snapshot::Snapshot;
use crate::lsp::session::state::Current;

/// See the module's page.
#[derive(Default)]
pub(in crate::lsp) struct SentFindings {
    verdicts: Vec<Arc<RawValue>>,
    /// How long it took to find the verdicts.
    judging: Duration,
}

/// If the verdicts took longer, or that of a case, the next findings do not wait for them.
const SLOW: Duration = Duration::from_millis(50);

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
        let mut diagnostics = findings(snapshot)?;
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
        if self.judging.max(snapshot.document.last_judging()) <= SLOW {
            return Ok(None);
        }
        let mut diagnostics = findings(snapshot)?;
        diagnostics.extend(self.verdicts.iter().cloned());
        Ok(Some(diagnostics))
    }
}

fn findings(snapshot: &Snapshot) -> serde_json::Result<Vec<Arc<RawValue>>> {
    if snapshot.is_blank() { Ok(Vec::new()) } else { written(of_findings(snapshot)) }
}

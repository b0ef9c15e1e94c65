//! How a run of the command line is kept: the part of its record that is known before it starts. Folders that it would write through
//! a link out of the workspace are refused: a repository may bring such a link.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use crate::cli::args::RunArgs;
use crate::cli::input::near;
use crate::cli::selection::runs_of;
use crate::config::{Config, TargetConfig, TargetKind, plain_address};
use crate::diagnostic::quoted;
use crate::events::Policy;
use crate::runner::{Keeping, Plan};
use crate::runs::{
    ConfigRecord, FORMAT, KeptRun, Redact, RunMode, RunRecord, Runs, ShardRecord, TargetRecord, hash_of,
};
use crate::targets::Target;
use crate::transcript::Store;
use crate::verdict::Versions;
use crate::workspace::{LoadedConfig, is_linked_out};

/// What the record of a run is made of.
pub(super) struct Recorder<'a> {
    pub(super) args: &'a RunArgs,
    pub(super) loaded: &'a LoadedConfig,
    /// The configuration with the changes of the command line.
    pub(super) config: &'a Config,
    /// The name of the target.
    pub(super) name: &'a str,
    pub(super) target: &'a dyn Target,
    pub(super) policy: Policy,
    pub(super) retry_errors: usize,
    /// The shard that runs, if one does.
    pub(super) shard: Option<ShardRecord>,
}

impl Recorder<'_> {
    /// How the run is kept; `None` if the command line does not want that. `resumed` is the run that is continued.
    ///
    /// # Errors
    /// If the target is not that of the run that is continued.
    pub(super) fn keeping(&self, resumed: Option<&KeptRun>) -> Result<Option<Keeping>, String> {
        if self.args.no_results {
            return Ok(None);
        }
        let runs = runs_of(self.args.results.as_deref(), self.loaded);
        if self.args.keep_only && runs.prepare().is_err() {
            return Ok(None);
        }
        let mut record = self.record();
        record.shard = record.shard.or_else(|| resumed.and_then(|run| run.record().shard.clone()));
        if let Some(resumed) = resumed
            && resumed.record().target.hash != record.target.hash
        {
            return Err(format!(
                "the target has changed since the run {}; run the cases without `--resume`",
                resumed.id()
            ));
        }
        let secrets = self.target.secrets();
        if let Some(resumed) = resumed
            && !self.args.anyway
            && resumed.record().target.has_other_files(&record.target)
        {
            return Err(format!(
                "the program of {} has changed since the run {}, so its cases would be those of two assistants; run all cases \
                 again, or add `--anyway`",
                quoted(self.name),
                resumed.id()
            ));
        }
        let redact: Option<Redact> = self
            .target
            .is_private()
            .then(|| Arc::new(move |value: &mut _| secrets.redact_values(std::slice::from_mut(value))) as Redact);
        Ok(Some(Keeping {
            runs,
            root: self.loaded.root.clone(),
            record: Box::new(record),
            redact,
            resume: resumed.map(|run| run.id().clone()),
            is_part: self.args.part,
        }))
    }

    fn record(&self) -> RunRecord {
        let path = self.loaded.config_path.as_deref();
        let path = path.map(|path| path.strip_prefix(&self.loaded.root).unwrap_or(path).display().to_string());
        let decides = (&self.config.ui_hints, &self.config.sources);
        let mut labels: BTreeMap<String, String> = self.config.run.labels.clone();
        labels.extend(self.args.options.label.iter().cloned());
        RunRecord {
            format: FORMAT.to_owned(),
            mode: self.args.options.mode,
            policy: self.policy,
            target: self.target_record(),
            config: ConfigRecord { path, hash: hash_of(&self.loaded.text), hints: hash_of(&format!("{decides:?}")) },
            versions: Versions::current(),
            os: std::env::consts::OS.to_owned(),
            labels,
            options: self.args.options.given(),
            shard: self.shard.clone(),
            attempts: if self.target.is_live() { self.retry_errors + 1 } else { 1 },
            ..RunRecord::default()
        }
    }

    fn target_record(&self) -> TargetRecord {
        let name = self.name.to_owned();
        let table = self.config.targets.get(self.name).filter(|_| self.args.answers_of.is_none());
        let Some(table) = table else {
            let kind = if self.args.answers_of.is_some() { TargetRecord::RUN } else { "" };
            return TargetRecord { name, kind: kind.to_owned(), ..TargetRecord::default() };
        };
        let record = TargetRecord { name, hash: table.fingerprint(), ..TargetRecord::default() };
        let kind = |kind: &str| kind.to_owned();
        match &table.kind {
            TargetKind::Replay => TargetRecord { kind: kind("replay"), ..record },
            TargetKind::Browser(browser) => {
                TargetRecord { kind: kind("browser"), address: Some(plain_address(&browser.url)), ..record }
            }
            TargetKind::Command(command) => TargetRecord {
                kind: kind("command"),
                argv: Some(command.command.clone()),
                files: self.target.program_hash().map(str::to_owned),
                ..record
            },
        }
    }
}

/// Refuses a run of `plan` with the target `name` that would write its results or transcripts through such a link.
///
/// # Errors
/// If it would: a lower-case fragment.
pub(super) fn refuse(
    args: &RunArgs,
    loaded: &LoadedConfig,
    config: &Config,
    name: &str,
    plan: &Plan,
) -> Result<(), String> {
    let suites = || plan.suites().iter().map(|suite| suite.path.as_path());
    if args.options.mode == RunMode::Record || !(args.no_results || args.keep_only) {
        refuse_results(args.results.as_deref(), loaded)?;
    }
    let takes_pictures = config.targets.get(name).is_some_and(TargetConfig::takes_pictures);
    if args.options.record || (takes_pictures && !args.no_results) {
        for suite in suites() {
            let fix = "set `[run] transcripts` to the folder itself, or remove the link";
            refuse_folder(Store::new(suite, config).folder(), suite.parent().unwrap_or(Path::new("")), loaded, fix)?;
        }
    }
    Ok(())
}

/// Refuses results through such a link, unless `--results` names their folder.
///
/// # Errors
/// If they would be written so: a lower-case fragment.
pub(super) fn refuse_results(results: Option<&Path>, loaded: &LoadedConfig) -> Result<(), String> {
    if results.is_some() {
        return Ok(());
    }
    let fix = "name a folder with `--results`, or remove the link";
    refuse_folder(Runs::of_workspace(&loaded.root, &loaded.config).path(), &loaded.root, loaded, fix)
}

fn refuse_folder(folder: &Path, base: &Path, loaded: &LoadedConfig, fix: &str) -> Result<(), String> {
    if !is_linked_out(folder, base, &loaded.root) {
        return Ok(());
    }
    let folder = quoted(&near(folder));
    Err(format!("nothing is written to {folder}, because a link leads out of the workspace there; {fix}"))
}

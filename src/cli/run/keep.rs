//! How a run of the command line is kept: the part of its record that is known before it starts.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use crate::cli::args::RunArgs;
use crate::cli::selection::runs_of;
use crate::config::{Config, TargetKind, plain_address};
use crate::diagnostic::quoted;
use crate::events::Policy;
use crate::git::{self, Head};
use crate::runner::Keeping;
use crate::runs::{
    CiRecord, ConfigRecord, FORMAT, GitRecord, KeptRun, Redact, RunRecord, ShardRecord, TargetRecord, hash_of,
};
use crate::targets::Target;
use crate::verdict::Versions;
use crate::workspace::LoadedConfig;

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
        let redact: Option<Redact> =
            self.target.is_private().then(|| Arc::new(move |value: &mut _| secrets.redact_value(value)) as Redact);
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
            id: String::new(),
            mode: self.args.options.mode,
            started_at: String::new(),
            ended_at: None,
            duration_ms: None,
            resumed_at: Vec::new(),
            cancelled: false,
            strict: self.policy.strict,
            target: self.target_record(),
            suites: Vec::new(),
            config: ConfigRecord { path, hash: hash_of(&self.loaded.text), hints: hash_of(&format!("{decides:?}")) },
            git: None,
            ci: None,
            versions: Versions::current(),
            os: std::env::consts::OS.to_owned(),
            labels,
            options: self.args.options.given(),
            shard: self.shard.clone(),
            merged: Vec::new(),
            attempts: if self.target.is_live() { self.retry_errors + 1 } else { 1 },
            not_run: None,
            results: Vec::new(),
            lines: None,
            summary: None,
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

/// What the repository around a folder has checked out, and the job of a CI system.
pub(super) fn origin_of(folder: &Path) -> (Option<GitRecord>, Option<CiRecord>) {
    let head = git::head(folder).map(|Head { commit, branch }| GitRecord { commit, branch });
    let variable = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
    let (ci, of_ci) = of_environment(&variable).unzip();
    // `.git` knows best, but a CI system checks out a commit without its branch.
    let head = match (head, of_ci) {
        (Some(head), Some(ci)) => {
            Some(GitRecord { commit: head.commit.or(ci.commit), branch: head.branch.or(ci.branch) })
        }
        (head, ci) => head.or(ci),
    };
    (head, ci)
}

/// What the variables of a system mean.
struct System {
    name: &'static str,
    /// The variable that is set in its jobs.
    is_set: &'static str,
    /// The branch: the first of them that is set.
    branch: &'static [&'static str],
    commit: &'static str,
    /// The address of the job or the build.
    job: &'static [&'static str],
}

/// The systems, as their documentation describes their variables.
const SYSTEMS: [System; 6] = [
    System {
        name: "GitHub Actions",
        is_set: "GITHUB_ACTIONS",
        branch: &["GITHUB_HEAD_REF", "GITHUB_REF"],
        commit: "GITHUB_SHA",
        job: &["GITHUB_SERVER_URL", "/", "GITHUB_REPOSITORY", "/actions/runs/", "GITHUB_RUN_ID"],
    },
    System {
        name: "GitLab CI",
        is_set: "GITLAB_CI",
        branch: &["CI_MERGE_REQUEST_SOURCE_BRANCH_NAME", "CI_COMMIT_BRANCH"],
        commit: "CI_COMMIT_SHA",
        job: &["CI_JOB_URL"],
    },
    System {
        name: "Buildkite",
        is_set: "BUILDKITE",
        branch: &["BUILDKITE_BRANCH"],
        commit: "BUILDKITE_COMMIT",
        job: &["BUILDKITE_BUILD_URL", "#", "BUILDKITE_JOB_ID"],
    },
    System {
        name: "CircleCI",
        is_set: "CIRCLECI",
        branch: &["CIRCLE_BRANCH"],
        commit: "CIRCLE_SHA1",
        job: &["CIRCLE_BUILD_URL"],
    },
    System {
        name: "Jenkins",
        is_set: "JENKINS_URL",
        branch: &["CHANGE_BRANCH", "BRANCH_NAME", "GIT_LOCAL_BRANCH", "GIT_BRANCH"],
        commit: "GIT_COMMIT",
        job: &["BUILD_URL"],
    },
    System {
        name: "Azure Pipelines",
        is_set: "TF_BUILD",
        branch: &["SYSTEM_PULLREQUEST_SOURCEBRANCH", "BUILD_SOURCEBRANCH"],
        commit: "BUILD_SOURCEVERSION",
        job: &["SYSTEM_TEAMFOUNDATIONCOLLECTIONURI", "SYSTEM_TEAMPROJECT", "/_build/results?buildId=", "BUILD_BUILDID"],
    },
];

/// The job in which this process runs, and the branch and the commit that it is about. `variable` returns a variable of the environment
/// that is not empty.
pub(super) fn of_environment(variable: &dyn Fn(&str) -> Option<String>) -> Option<(CiRecord, GitRecord)> {
    let system = SYSTEMS.iter().find(|system| variable(system.is_set).is_some())?;
    let branch = system.branch.iter().find_map(|name| branch(&variable(name)?));
    // What is not a name of a variable is a part of the address.
    let is_name = |part: &str| part.bytes().all(|byte| byte.is_ascii_uppercase() || byte == b'_');
    let part = |part: &&str| if is_name(part) { variable(part) } else { Some((*part).to_owned()) };
    let job = system.job.iter().map(part).collect::<Option<String>>();
    let record = CiRecord { system: system.name.to_owned(), job };
    Some((record, GitRecord { commit: variable(system.commit), branch }))
}

/// The branch of a reference; `None` for a tag or a merge that a system made.
fn branch(reference: &str) -> Option<String> {
    match reference.strip_prefix("refs/") {
        Some(rest) => rest.strip_prefix("heads/").map(str::to_owned),
        None => Some(reference.strip_prefix("origin/").unwrap_or(reference).to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;

    #[test]
    fn each_system_names_branch_commit_and_job() {
        let of = |variables: &str| {
            let variables: HashMap<&str, &str> =
                variables.split(' ').map(|variable| variable.split_once('=').unwrap()).collect();
            of_environment(&|name| variables.get(name).map(|value| (*value).to_owned()))
        };
        let github = "GITHUB_ACTIONS=true GITHUB_SHA=c";
        let run = "GITHUB_SERVER_URL=https://github.example GITHUB_REPOSITORY=o/r GITHUB_RUN_ID=7";
        let run_page = Some("https://github.example/o/r/actions/runs/7");
        let gitlab = "GITLAB_CI=true CI_COMMIT_BRANCH=main CI_COMMIT_SHA=c CI_JOB_URL=https://j";
        let buildkite = "BUILDKITE=true BUILDKITE_BRANCH=main BUILDKITE_COMMIT=c";
        let build = "BUILDKITE_BUILD_URL=https://b BUILDKITE_JOB_ID=5";
        let circle = "CIRCLECI=true CIRCLE_BRANCH=main CIRCLE_SHA1=c";
        let jenkins = "JENKINS_URL=x GIT_BRANCH=origin/a/b GIT_COMMIT=c BUILD_URL=https://j/1/";
        let azure = "TF_BUILD=True BUILD_SOURCEBRANCH=refs/heads/main BUILD_SOURCEVERSION=c";
        for (variables, system, branch, job) in [
            (&format!("{github} {run} GITHUB_REF=refs/heads/main"), "GitHub Actions", Some("main"), run_page),
            (
                &format!("{github} GITHUB_HEAD_REF=topic GITHUB_REF=refs/pull/1/merge"),
                "GitHub Actions",
                Some("topic"),
                None,
            ),
            (&format!("{github} GITHUB_REF=refs/tags/v1"), "GitHub Actions", None, None),
            (&gitlab.to_owned(), "GitLab CI", Some("main"), Some("https://j")),
            (&format!("{buildkite} {build}"), "Buildkite", Some("main"), Some("https://b#5")),
            (&circle.to_owned(), "CircleCI", Some("main"), None),
            (&jenkins.to_owned(), "Jenkins", Some("a/b"), Some("https://j/1/")),
            (&azure.to_owned(), "Azure Pipelines", Some("main"), None),
        ] {
            let (ci, git) = of(variables).unwrap();
            assert_eq!((ci.system.as_str(), ci.job.as_deref()), (system, job), "{variables}");
            assert_eq!((git.branch.as_deref(), git.commit.as_deref()), (branch, Some("c")), "{variables}");
        }
        assert_eq!(of("GIT_BRANCH=main BUILD_URL=x"), None, "on a desk");
    }
}

//! What a CI system says about a run. Such systems check out a commit without its branch, and only their variables name it.

use crate::runs::{CiRecord, GitRecord};

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
        for (variables, system, branch, job) in [
            (
                &[
                    ("GITHUB_ACTIONS", "true"),
                    ("GITHUB_REF", "refs/heads/main"),
                    ("GITHUB_SHA", "c"),
                    ("GITHUB_SERVER_URL", "https://github.example"),
                    ("GITHUB_REPOSITORY", "o/r"),
                    ("GITHUB_RUN_ID", "7"),
                ][..],
                "GitHub Actions",
                Some("main"),
                Some("https://github.example/o/r/actions/runs/7"),
            ),
            (
                &[
                    ("GITHUB_ACTIONS", "true"),
                    ("GITHUB_HEAD_REF", "topic"),
                    ("GITHUB_REF", "refs/pull/1/merge"),
                    ("GITHUB_SHA", "c"),
                ],
                "GitHub Actions",
                Some("topic"),
                None,
            ),
            (
                &[("GITHUB_ACTIONS", "true"), ("GITHUB_REF", "refs/tags/v1"), ("GITHUB_SHA", "c")],
                "GitHub Actions",
                None,
                None,
            ),
            (
                &[
                    ("GITLAB_CI", "true"),
                    ("CI_COMMIT_BRANCH", "main"),
                    ("CI_COMMIT_SHA", "c"),
                    ("CI_JOB_URL", "https://j"),
                ],
                "GitLab CI",
                Some("main"),
                Some("https://j"),
            ),
            (
                &[
                    ("BUILDKITE", "true"),
                    ("BUILDKITE_BRANCH", "main"),
                    ("BUILDKITE_COMMIT", "c"),
                    ("BUILDKITE_BUILD_URL", "https://b"),
                    ("BUILDKITE_JOB_ID", "5"),
                ],
                "Buildkite",
                Some("main"),
                Some("https://b#5"),
            ),
            (&[("CIRCLECI", "true"), ("CIRCLE_BRANCH", "main"), ("CIRCLE_SHA1", "c")], "CircleCI", Some("main"), None),
            (
                &[
                    ("JENKINS_URL", "x"),
                    ("GIT_BRANCH", "origin/a/b"),
                    ("GIT_COMMIT", "c"),
                    ("BUILD_URL", "https://j/1/"),
                ],
                "Jenkins",
                Some("a/b"),
                Some("https://j/1/"),
            ),
            (
                &[("TF_BUILD", "True"), ("BUILD_SOURCEBRANCH", "refs/heads/main"), ("BUILD_SOURCEVERSION", "c")],
                "Azure Pipelines",
                Some("main"),
                None,
            ),
        ] {
            let variables: HashMap<&str, &str> = variables.iter().copied().collect();
            let (ci, git) = of_environment(&|name| variables.get(name).map(|value| (*value).to_owned())).unwrap();
            assert_eq!((ci.system.as_str(), ci.job.as_deref()), (system, job));
            assert_eq!((git.branch.as_deref(), git.commit.as_deref()), (branch, Some("c")));
        }
        let on_a_desk = HashMap::from([("GIT_BRANCH", "main"), ("BUILD_URL", "x")]);
        assert_eq!(of_environment(&|name| on_a_desk.get(name).map(|value| (*value).to_owned())), None);
    }
}

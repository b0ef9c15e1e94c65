//! What the docs promise: each sentence is in its page, and is true.

use crate::run::support::{Ran, WORDS_AGENT, Workspace};

const YES: &str = r#"{ "must_say_any": ["yes"] }"#;

/// A page, a sentence of it, and what proves it.
type Claim = (&'static str, &'static str, fn());

const CLAIMS: [Claim; 27] = [
    ("README.md", "`eval-ls run` judges from now on", record_stores_answers),
    (
        "docs/cli.md",
        "One that fails does not replace one that passes; the exit status is then 1.",
        record_keeps_what_passes,
    ),
    ("docs/cli.md", "the failed ones with places and answers", a_failure_has_its_places_and_its_answer),
    ("docs/cli.md", "| 130 | Interrupted. |", exit_statuses),
    ("docs/ci.md", "the folder `results` of the workspace", results_are_in_one_folder),
    (
        "docs/configuration.md",
        "A transcript is stale if the prompts of its case have changed since.",
        only_prompts_make_stale,
    ),
    ("docs/configuration.md", "## `[[allow]]`", an_idle_allowance_is_reported),
    ("docs/noise.md", "no further attempt is made once the status cannot change", attempts_end_early),
    ("docs/noise.md", "Interrupted runs and runs of `record` cannot be accepted.", record_is_no_baseline),
    (
        "docs/noise.md",
        "a warning names the file. If no suite has one, the run does not start.",
        a_missing_baseline_is_named,
    ),
    (
        "docs/program.md",
        "`PATH`, `HOME`, `LANG`, `TMPDIR`, the variables in `env`, and the variables named in `pass_env`",
        few_variables,
    ),
    ("docs/program.md", "writes `[redacted NAME]` instead", secrets_are_redacted),
    ("docs/cli.md", "`required_version` names those that fit", another_version_runs_nothing),
    ("SECURITY.md", "The page of `report` is one file without network access.", a_page_needs_no_network),
    ("docs/runs.md", "the exit status is 0", nothing_failed_is_one_sentence),
    ("docs/runs.md", "The exit status is 4 if there is no such run or case.", an_unknown_history),
    ("docs/runs.md", "An edited case asks another question, so", an_edit_starts_a_history_anew),
    (
        "docs/runs.md",
        "with the suites and the configuration as they are now",
        answers_of_a_run_are_judged_by_the_suite_as_it_is,
    ),
    ("docs/runs.md", "It runs the cases that have not ended", a_resumed_run_has_the_rest),
    ("docs/runs.md", "`--report FORMAT[=PATH]` writes a report beside the output", a_page_needs_a_kept_run),
    ("docs/runs.md", "Ten cases are", few_cases_say_nothing),
    ("docs/scoring.md", "`..` is stored in `%2E%2E.json`", an_id_is_no_path),
    ("docs/ci.md", "- a shard is missing, or two different runs of it are there", a_missing_shard),
    (
        "docs/troubleshooting.md",
        "the reason names variables that are set, but not passed",
        the_reason_names_what_is_not_passed,
    ),
    ("docs/start.md", "The exit status is 0 if all cases passed and 1 if one failed", all_passed_or_one_failed),
    ("docs/cli.md", "source <(eval-ls completions bash)", completions_ask_the_program),
    ("docs/cli.md", "| 4 | No case was selected. |", nothing_is_selected),
];

#[test]
fn what_the_docs_claim_is_true() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let page = |name: &str| std::fs::read_to_string(root.join(name)).unwrap();
    let flat = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let missing: Vec<_> =
        CLAIMS.iter().filter(|(name, sentence, _)| !flat(&page(name)).contains(&flat(sentence))).collect();
    let missing: Vec<_> = missing.iter().map(|(name, sentence, _)| format!("{name}: {sentence}")).collect();
    assert!(missing.is_empty(), "not in the page any more:\n{}", missing.join("\n"));
    // Most of the time is spent in processes, so that several at a time are faster.
    std::thread::scope(|scope| {
        let threads = CLAIMS.map(|(name, sentence, prove)| (name, sentence, scope.spawn(prove)));
        let false_ones = threads
            .into_iter()
            .filter_map(|(name, sentence, proof)| proof.join().is_err().then(|| format!("{name}: {sentence}")));
        let false_ones: Vec<_> = false_ones.collect();
        assert!(false_ones.is_empty(), "not true:\n{}", false_ones.join("\n"));
    });
}

/// A workspace whose target `agent` answers these words, the n-th case the n-th word.
fn asked(words: &[&str], more: &str) -> Workspace {
    let workspace = Workspace::new();
    workspace.suite(&vec![(YES, None); words.len()]);
    workspace.agent(WORDS_AGENT, more);
    for (index, words) in words.iter().enumerate() {
        workspace.write(&format!("C{index}.txt"), words);
    }
    workspace
}

/// A workspace whose cases want `yes` and have these stored answers.
fn stored(answers: &[&str]) -> Workspace {
    let workspace = Workspace::new();
    workspace.suite(&answers.iter().map(|answer| (YES, Some(*answer))).collect::<Vec<_>>());
    workspace
}

fn edit(workspace: &Workspace, name: &str, from: &str, to: &str) {
    let text = std::fs::read_to_string(workspace.path().join(name)).unwrap();
    assert!(text.contains(from), "{text}");
    workspace.write(name, &text.replace(from, to));
}

#[track_caller]
fn says(ran: &Ran, status: i32, words: &[&str]) {
    let all = format!("{}{}", ran.out, ran.err);
    assert_eq!(ran.status, status, "{all}");
    for words in words {
        assert!(all.contains(words), "{words} is not in:\n{all}");
    }
}

fn record_stores_answers() {
    let workspace = asked(&["no", "yes"], "");
    says(&workspace.run(&["record", "--target", "agent"]), 0, &["2 of 2 cases recorded"]);
    says(&workspace.run(&["run", "--target", "replay"]), 1, &["2 cases in 1 suite: 1 passed, 1 failed"]);
}

fn record_keeps_what_passes() {
    let workspace = asked(&["yes no"], "");
    says(&workspace.run(&["record"]), 0, &[]);
    let ran = workspace.run(&["record"]);
    says(&ran, 1, &["kept     C0", "eval-ls show C0", "eval-ls accept --failing C0"]);
}

fn a_failure_has_its_places_and_its_answer() {
    let ran = stored(&["no, but maybe"]).run(&["run"]);
    says(&ran, 1, &["s.evals.json:1:", "│ no, but maybe"]);
}

fn exit_statuses() {
    says(&stored(&["yes"]).run(&["run"]), 0, &[]);
    says(&stored(&["no"]).run(&["run"]), 1, &[]);
    says(&stored(&["yes"]).run(&["run", "--jobs", "0"]), 2, &[]);
    says(&stored(&["yes"]).run(&["run", "missing.evals.json"]), 3, &[]);
    says(&stored(&["yes"]).run(&["run", "--cases", "NOPE"]), 4, &[]);
    says(&asked(&["crash"], "").run(&["run"]), 5, &[]);
}

fn results_are_in_one_folder() {
    let workspace = stored(&["yes"]);
    std::fs::create_dir(workspace.path().join("evals")).unwrap();
    for name in ["s.evals.json", "transcripts"] {
        std::fs::rename(workspace.path().join(name), workspace.path().join("evals").join(name)).unwrap();
    }
    workspace.write("eval-ls.toml", "");
    says(&workspace.run(&["run"]), 0, &[]);
    let folder = |path: &str| workspace.path().join(path).is_dir();
    assert!(folder("results/runs") && !folder("evals/results"));
    for command in [&["runs"][..], &["run", "--answers-of", "latest"], &["report"]] {
        says(&workspace.run(command), 0, &[]);
    }
}

fn only_prompts_make_stale() {
    let workspace = asked(&["yes"], "");
    says(&workspace.run(&["record"]), 0, &[]);
    edit(&workspace, "s.evals.json", "[\"yes\"]", "[\"yes\", \"sure\"]");
    assert!(!workspace.run(&["run", "--target", "replay"]).out.contains("stale"));
    edit(&workspace, "s.evals.json", "\"p0\"", "\"another\"");
    says(&workspace.run(&["run", "--target", "replay"]), 0, &["1 stale"]);
    let concise =
        |strict: &[&str]| workspace.run(&[&["run", "--target", "replay", "--format", "concise"], strict].concat());
    says(&concise(&[]), 0, &["warning[stale] "]);
    let strict = concise(&["--strict"]);
    assert!(
        strict.status == 1 && strict.out.contains("error[stale] ") && !strict.out.contains("[PASS]"),
        "{}",
        strict.out
    );
}

fn an_idle_allowance_is_reported() {
    let workspace = stored(&["yes"]);
    workspace.write("eval-ls.toml", "[[allow]]\nlint = \"empty-prompt\"\nfiles = [\"s.evals.json\"]\nreason = \"r\"\n");
    says(&workspace.run(&["check"]), 0, &["eval-ls.toml:1"]);
}

fn attempts_end_early() {
    let policy = "[[policy]]\ncases = \"*\"\nrepeat = 5\nmin_pass = 4\n";
    let workspace = asked(&["no no yes yes yes"], policy);
    says(&workspace.run(&["run"]), 1, &["2 attempts"]);
    assert_eq!(std::fs::read_to_string(workspace.path().join("C0.asked")).unwrap(), "xx");
}

fn record_is_no_baseline() {
    let workspace = asked(&["yes"], "");
    says(&workspace.run(&["record"]), 0, &[]);
    let ran = workspace.run(&["baseline", "accept"]);
    assert_ne!(ran.status, 0, "{}", ran.out);
    assert!(ran.err.contains("record"), "{}", ran.err);
}

fn a_missing_baseline_is_named() {
    let workspace = asked(&["yes"], "");
    let ran = workspace.run(&["run", "--baseline"]);
    assert_ne!(ran.status, 0, "{}", ran.out);
    assert!(ran.err.contains("baselines/s.evals.agent.json"), "{}", ran.err);
    assert!(!workspace.path().join("C0.asked").exists());
}

/// A program that answers with the names or the values of its environment.
fn environment(what: &str) -> String {
    format!(
        "import json, os\nfor line in open(0):\n    print(json.dumps({{'response': 'yes ' + ' '.join(sorted(os.environ{what}))}}), flush=True)\n"
    )
}

/// What a run answers, as `show` has it.
fn answer_of(program: &str, more: &str, variables: &[(&str, &str)]) -> String {
    let workspace = Workspace::new();
    workspace.suite(&[(YES, None)]);
    workspace.agent(program, more);
    let mut command = workspace.command(&["run"]);
    let ran = Ran::from(command.envs(variables.iter().copied()).output().unwrap());
    says(&ran, 0, &[]);
    workspace.run(&["show", "C0"]).out
}

fn few_variables() {
    let more = "pass_env = [\"MY_KEY\"]\nenv = { MINE = \"1\" }";
    let shown = answer_of(&environment(""), more, &[("MY_KEY", "long-secret-value"), ("OTHER", "1")]);
    assert!(shown.contains("MINE") && shown.contains("MY_KEY") && shown.contains("PATH"), "{shown}");
    assert!(!shown.contains("OTHER"), "{shown}");
}

fn secrets_are_redacted() {
    let more = "pass_env = [\"MY_KEY\"]";
    let shown = answer_of(&environment(".values()"), more, &[("MY_KEY", "long-secret-value")]);
    assert!(shown.contains("[redacted MY_KEY]") && !shown.contains("long-secret-value"), "{shown}");
}

fn another_version_runs_nothing() {
    let workspace = asked(&["yes"], "");
    edit(&workspace, "eval-ls.toml", "[run]", "required_version = \">=9.0\"\n[run]");
    says(&workspace.run(&["run"]), 2, &[">=9.0", env!("CARGO_PKG_VERSION")]);
    assert!(!workspace.path().join("C0.asked").exists());
}

fn a_page_needs_no_network() {
    let workspace = stored(&["yes"]);
    says(&workspace.run(&["run"]), 0, &[]);
    says(&workspace.run(&["report", "--html", "page.html"]), 0, &[]);
    let page = std::fs::read_to_string(workspace.path().join("page.html")).unwrap();
    assert!(page.contains("default-src 'none'") && page.contains("sha256-"), "{page}");
    assert!(!page.contains(" src=\"http") && !page.contains("<link"), "{page}");
}

fn nothing_failed_is_one_sentence() {
    let workspace = asked(&["yes"], "");
    says(&workspace.run(&["run"]), 0, &[]);
    let ran = workspace.run(&["run", "--failed"]);
    says(&ran, 0, &["no selected case failed when `agent` last answered it"]);
    assert_eq!(ran.err.lines().count(), 1, "{}", ran.err);
}

fn an_unknown_history() {
    let workspace = stored(&["yes"]);
    says(&workspace.run(&["runs", "C0"]), 4, &[]);
    says(&workspace.run(&["run"]), 0, &[]);
    says(&workspace.run(&["runs", "NOPE"]), 4, &["NOPE"]);
}

fn an_edit_starts_a_history_anew() {
    let workspace = stored(&["yes"]);
    says(&workspace.run(&["run"]), 0, &[]);
    edit(&workspace, "s.evals.json", "[\"yes\"]", "[\"sure\"]");
    says(&workspace.run(&["run"]), 1, &[]);
    says(&workspace.run(&["runs", "C0"]), 0, &["FAIL in the last run", "edited: expectations"]);
}

fn answers_of_a_run_are_judged_by_the_suite_as_it_is() {
    let workspace = stored(&["yes"]);
    says(&workspace.run(&["run"]), 0, &[]);
    edit(&workspace, "s.evals.json", "[\"yes\"]", "[\"sure\"]");
    says(&workspace.run(&["run", "--answers-of", "latest"]), 1, &["next: see what changed: eval-ls compare "]);
    says(&workspace.run(&["compare"]), 0, &["edited: expectations"]);
}

fn a_resumed_run_has_the_rest() {
    let workspace = asked(&["no", "yes", "yes"], "");
    says(&workspace.run(&["run", "--max-failures", "1", "--jobs", "1"]), 1, &["not run"]);
    let asked = |case: &str| workspace.path().join(format!("{case}.asked")).metadata().map_or(0, |file| file.len());
    let before = asked("C0");
    says(&workspace.run(&["run", "--resume"]), 1, &["3 cases in 1 suite: 2 passed, 1 failed"]);
    assert_eq!((asked("C0"), asked("C2")), (before, 1));
}

fn a_page_needs_a_kept_run() {
    let ran = stored(&["yes"]).run(&["run", "--no-results", "--report", "html=page.html"]);
    says(&ran, 2, &["--no-results"]);
}

fn few_cases_say_nothing() {
    let workspace = stored(&["yes", "no"]);
    says(&workspace.run(&["run"]), 1, &[]);
    says(&workspace.run(&["run"]), 1, &[]);
    says(&workspace.run(&["compare"]), 0, &["too few cases for a statement"]);
}

fn an_id_is_no_path() {
    let workspace = asked(&[], "");
    workspace.write(
        "s.evals.json",
        r#"{ "cases": [ { "id": "..", "prompt": "p", "expected": { "must_say_any": ["yes"] } } ] }"#,
    );
    workspace.write("...txt", "yes");
    says(&workspace.run(&["record"]), 0, &["%2E%2E.json"]);
    assert!(workspace.path().join("transcripts/s.evals/%2E%2E.json").is_file());
}

fn a_missing_shard() {
    let workspace = stored(&["yes", "yes"]);
    says(&workspace.run(&["run", "--shard", "1/2", "--results", "one"]), 0, &[]);
    says(&workspace.run(&["merge", "one"]), 3, &["shard 2"]);
}

fn the_reason_names_what_is_not_passed() {
    let workspace = Workspace::new();
    workspace.suite(&[(YES, None)]);
    workspace.agent("import os\nos.environ['AGENT_TOKEN']\n", "");
    let ran = Ran::from(workspace.command(&["run"]).env("AGENT_TOKEN", "long-secret-value").output().unwrap());
    says(&ran, 5, &["AGENT_TOKEN", "pass_env"]);
}

fn all_passed_or_one_failed() {
    says(&stored(&["yes", "yes"]).run(&["run"]), 0, &["2 cases in 1 suite: 2 passed"]);
    says(&stored(&["yes", "no"]).run(&["run"]), 1, &["2 cases in 1 suite: 1 passed, 1 failed"]);
}

fn completions_ask_the_program() {
    let workspace = stored(&["yes"]);
    let script = workspace.run(&["completions", "bash"]);
    says(&script, 0, &["EVAL_LS_COMPLETE"]);
}

fn nothing_is_selected() {
    says(&stored(&["yes"]).run(&["run", "--cases", "C9"]), 4, &["did you mean"]);
    says(&stored(&["yes"]).run(&["run", "--category", "nope"]), 4, &["there is no category"]);
}

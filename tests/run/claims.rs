//! What the docs promise: each sentence is in its page, and a test proves it.

use crate::cli::{check, others};
use crate::run::{answers, cancel, compare, errors, formats, kept, place, repeats, report, statuses, whose};
use crate::support::{Folder, Ran, YES};

/// A page, a sentence of it, and the tests that prove it.
type Claim = (&'static str, &'static str, &'static [fn()]);

const CLAIMS: [Claim; 21] = [
    ("README.md", "`eval-ls run` judges from now on", &[answers::record_keeps_a_run_and_passing_transcripts]),
    (
        "docs/cli.md",
        "One that fails does not replace one that passes; the exit status is then 1.",
        &[answers::record_keeps_a_run_and_passing_transcripts],
    ),
    (
        "docs/cli.md",
        "the failed ones with places and answers",
        &[formats::text_has_failures_with_lines_of_suite_and_response, whose::a_failed_case_shows_its_answer],
    ),
    (
        "docs/cli.md",
        "| 130 | Interrupted. |",
        &[cancel::ctrl_c_stops_running_cases_and_writes_reports_of_finished_ones],
    ),
    ("docs/ci.md", "the folder `results` of the workspace", &[place::result_files_go_with_their_run]),
    (
        "docs/configuration.md",
        "A transcript is stale if the prompts of its case have changed since.",
        &[only_prompts_make_stale],
    ),
    ("docs/configuration.md", "## `[[allow]]`", &[check::allowed_findings_are_left_out_and_idle_entries_are_reported]),
    (
        "docs/noise.md",
        "no further attempt is made once the status cannot change",
        &[repeats::a_policy_decides_and_ends_early],
    ),
    (
        "docs/program.md",
        "`PATH`, `HOME`, `LANG`, `TMPDIR`, the variables in `env`, and the variables named in `pass_env`",
        &[a_program_sees_few_variables],
    ),
    ("docs/program.md", "writes `[redacted NAME]` instead", &[a_program_sees_few_variables]),
    (
        "SECURITY.md",
        "The page of `report` is one file without network access.",
        &[report::a_page_runs_only_its_own_script],
    ),
    ("docs/runs.md", "the exit status is 0", &[kept::the_cases_that_did_not_pass_are_selected]),
    (
        "docs/runs.md",
        "with the suites and the configuration as they are now",
        &[answers::answers_are_judged_by_what_was_edited],
    ),
    ("docs/runs.md", "It runs the cases that have not ended", &[cancel::a_cancelled_run_is_resumed]),
    ("docs/runs.md", "`--report FORMAT[=PATH]` writes a report beside the output", &[report::a_run_writes_its_page]),
    ("docs/runs.md", "Ten cases are", &[compare::a_comparison_names_what_regressed_and_what_is_fixed]),
    ("docs/scoring.md", "`..` is stored in `%2E%2E.json`", &[an_id_is_no_path]),
    (
        "docs/troubleshooting.md",
        "the reason names variables that are set, but not passed",
        &[errors::every_report_has_the_printed_error_and_its_fix],
    ),
    (
        "docs/start.md",
        "The exit status is 0 if all cases passed and 1 if one failed",
        &[statuses::the_exit_status_follows_from_the_verdicts],
    ),
    ("docs/cli.md", "source <(eval-ls completions bash)", &[others::every_shell_has_completions]),
    ("docs/cli.md", "| 4 | No case was selected. |", &[kept::cases_are_selected_by_patterns_and_categories]),
];

#[test]
fn what_the_tests_prove_is_in_the_docs() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let flat = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    for (name, sentence, tests) in CLAIMS {
        let page = std::fs::read_to_string(root.join(name)).unwrap();
        assert!(flat(&page).contains(&flat(sentence)), "not in {name} any more: {sentence}");
        assert!(!tests.is_empty(), "nothing proves: {sentence}");
    }
}

#[test]
fn only_prompts_make_stale() {
    let workspace = Folder::asking(&["yes"], "");
    workspace.run(&["record"]).ends(0);
    workspace.edit("s.evals.json", "[\"yes\"]", "[\"yes\", \"sure\"]");
    assert!(!workspace.run(&["run", "--target", "replay"]).out.contains("stale"));
    workspace.edit("s.evals.json", "\"p0\"", "\"another\"");
    workspace.run(&["run", "--target", "replay"]).prints(0, ["1 stale"]);
    let concise = ["run", "--target", "replay", "--format", "concise"];
    workspace.run(&concise).prints(0, ["warning[stale] "]);
    let strict = workspace.run(&[&concise[..], &["--strict"]].concat()).prints(1, ["error[stale] "]);
    assert!(!strict.out.contains("[PASS]"), "{strict:?}");
}

#[test]
fn a_program_sees_few_variables() {
    for (what, present, absent) in
        [("", &["MINE", "MY_KEY", "PATH"][..], "OTHER"), (".values()", &["[redacted MY_KEY]"], "long-secret-value")]
    {
        let workspace = Folder::new();
        workspace.suite(&[(YES, None)]);
        let program = format!(
            "import json, os\nprint(json.dumps({{'response': 'yes ' + ' '.join(sorted(os.environ{what}))}}))\n"
        );
        workspace.agent(&program, "pass_env = [\"MY_KEY\"]\nenv = { MINE = \"1\" }");
        let mut command = workspace.command(&["run"]);
        Ran::from(command.env("MY_KEY", "long-secret-value").env("OTHER", "1")).ends(0);
        let shown = workspace.run(&["show", "C0"]).prints(0, present);
        assert!(!shown.out.contains(absent), "{shown:?}");
    }
}

#[test]
fn an_id_is_no_path() {
    let workspace = Folder::asking(&[], "");
    workspace
        .write("s.evals.json", format!(r#"{{ "cases": [ {{ "id": "..", "prompt": "p", "expected": {YES} }} ] }}"#));
    workspace.write("...txt", "yes");
    workspace.run(&["record"]).prints(0, ["%2E%2E.json"]);
    assert!(workspace.join("transcripts/s.evals/%2E%2E.json").is_file());
}

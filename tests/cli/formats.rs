//! The output of each format.

use insta::assert_snapshot;
use serde_json::{Value, json};
use serde_sarif::sarif::Sarif;

use super::{CLEAN, FAULTY};
use crate::support::{Folder, Ran};

fn printed(format: &str) -> String {
    let folder = Folder::with(&[("evals/faulty.json", FAULTY), ("evals/clean.json", CLEAN)]);
    let ran = folder.run(&["check", "--format", format]).ends(1);
    let more = if format == "text" { "to read more: `eval-ls explain invalid-json`\n" } else { "" };
    assert_eq!(
        ran.err,
        format!("{more}2 errors, 1 warning in 1 file; `--fix` fixes 1 of them; 3 cases in 2 suites checked\n")
    );
    ran.out
}

#[test]
fn each_format_prints_the_same_findings() {
    for format in ["text", "concise", "json", "github"] {
        assert_snapshot!(format, printed(format));
    }
}

#[test]
fn statistics_count_each_lint() {
    let folder = Folder::with(&[("evals/faulty.json", FAULTY), ("evals/again.json", FAULTY)]);
    let ran = folder.run(&["check", "--statistics"]).ends(1);
    assert_snapshot!(ran.out);
    let ran = folder.run(&["check", "--statistics", "--format", "json"]);
    ran.complains(2, ["`--statistics` prints a table; remove `--format`"]);
}

/// A finding of the format `json` as a result of SARIF.
fn sarif_result(finding: &Value) -> Value {
    let region = |range: &Value| {
        let (start, end) = (&range["start"], &range["end"]);
        json!({ "startLine": start["line"], "startColumn": start["column"], "endLine": end["line"], "endColumn": end["column"] })
    };
    let file = json!({ "uri": finding["file"] });
    let place = |range: &Value| json!({ "artifactLocation": file, "region": region(range) });
    let related = |(id, one): (usize, &Value)| json!({ "id": id, "message": { "text": one["message"] }, "physicalLocation": place(&one["range"]) });
    let replacement = |edit: &Value| json!({ "deletedRegion": region(&edit["range"]), "insertedContent": { "text": edit["newText"] } });
    let fix = |fix: &Value| {
        let edits: Vec<_> = fix["edits"].as_array().unwrap().iter().map(replacement).collect();
        json!({
            "description": { "text": fix["title"] }, "properties": { "safe": fix["safe"] },
            "artifactChanges": [{ "artifactLocation": file, "replacements": edits }],
        })
    };
    let mut result = json!({
        "ruleId": finding["lint"], "ruleIndex": null, "level": finding["severity"], "message": { "text": finding["message"] },
        "locations": [{ "physicalLocation": place(&finding["range"]) }],
    });
    let lists: [(_, Vec<Value>); 2] = [
        ("relatedLocations", finding["related"].as_array().unwrap().iter().enumerate().map(related).collect()),
        ("fixes", finding["fixes"].as_array().unwrap().iter().map(fix).collect()),
    ];
    for (key, list) in lists.into_iter().filter(|(_, list)| !list.is_empty()) {
        result[key] = list.into();
    }
    result
}

#[test]
fn sarif() {
    let mut log: Value = serde_json::from_str(&printed("sarif")).unwrap();
    let run = &mut log["runs"][0];
    // The pages are long and many, so their existence is enough.
    let rules = run["tool"]["driver"]["rules"].take();
    for rule in rules.as_array().unwrap().iter().filter(|rule| rule["id"] != "invalid-config") {
        let summary = rule["shortDescription"]["text"].as_str().unwrap();
        assert!(rule["help"]["markdown"].as_str().unwrap().contains(summary), "{rule}");
    }
    for result in run["results"].as_array_mut().unwrap() {
        let rule = result["ruleIndex"].take().as_u64().unwrap();
        assert_eq!(rules[rule as usize]["id"], result["ruleId"]);
    }
    let findings: Vec<Value> = serde_json::from_str(&printed("json")).unwrap();
    let driver = json!({ "name": "eval-ls", "semanticVersion": env!("CARGO_PKG_VERSION"), "rules": null });
    let run = json!({
        "tool": { "driver": driver }, "invocations": [{ "executionSuccessful": true }], "columnKind": "unicodeCodePoints",
        "results": findings.iter().map(sarif_result).collect::<Vec<_>>(),
    });
    let schema = "https://json.schemastore.org/sarif-2.1.0.json";
    assert_eq!(log, json!({ "$schema": schema, "version": "2.1.0", "runs": [run] }));
}

#[test]
fn sarif_has_the_types_of_the_standard() {
    let folder = Folder::with(&[
        ("faulty.evals.json", FAULTY),
        ("clean.evals.json", CLEAN),
        ("a\nb\u{1b}[31m%,: \u{e9}.evals.json", "{ \"cases\": [ {\"id\": \"\u{1f600}\u{202e}\", } ]"),
        ("configured/eval-ls.toml", "[run]\njobz = 1\n"),
        ("configured/clean.evals.json", CLEAN),
    ]);
    folder.write("latin1.evals.json", b"{ \"name\": \"caf\xe9\" }");
    for (path, findings) in [("clean.evals.json", 0..1), (".", 6..20), ("configured", 1..2)] {
        let ran = folder.run(&["check", "--format", "sarif", path]);
        let log = ran.json();
        // These types are made from the schema of the standard. They lose keys that are not in it.
        let typed: Sarif = serde_json::from_str(&ran.out).unwrap_or_else(|fault| panic!("{path}: {fault}"));
        assert_eq!(serde_json::to_value(typed).unwrap(), log, "{path}");
        let found = log["runs"][0]["results"].as_array().unwrap().len();
        assert!(findings.contains(&found), "{path}: {found}");
    }
}

#[test]
fn colour_is_for_terminals_unless_forced() {
    let folder = Folder::with(&[("evals/faulty.json", FAULTY)]);
    for (variables, colored) in
        [(&[][..], false), (&[("CLICOLOR_FORCE", "1")], true), (&[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")], false)]
    {
        let ran = Ran::from(folder.command(&["check"]).envs(variables.iter().copied()));
        assert_eq!(ran.out.contains('\u{1b}'), colored, "{variables:?}: {ran:?}");
    }
    for format in ["concise", "json", "sarif", "github"] {
        let ran = Ran::from(folder.command(&["check", "--format", format]).env("CLICOLOR_FORCE", "1"));
        assert!(!ran.out.contains('\u{1b}'), "{ran:?}");
    }
}

#[test]
fn annotations_and_sarif_count_paths_from_the_root_of_the_repository() {
    let folder = Folder::with(&[("apps/chat/evals/faulty.json", FAULTY), (".git/HEAD", "ref: refs/heads/main\n")]);
    let output = |format: &str, workspace: &str| {
        let mut command = folder.command(&["check", "--format", format, "evals/faulty.json"]);
        let command = command.current_dir(folder.join("apps/chat"));
        Ran::from(command.env("GITHUB_WORKSPACE", folder.join(workspace))).out
    };
    for (workspace, path) in [("", "apps/chat/evals/faulty.json"), ("apps", "chat/evals/faulty.json")] {
        let github = output("github", workspace);
        assert!(github.lines().all(|line| line.contains(&format!(" file={path},line="))), "{github}");
        assert!(github.contains(",endLine=") && github.contains(",endColumn="), "{github}");
        let sarif: Value = serde_json::from_str(&output("sarif", workspace)).unwrap();
        for result in sarif["runs"][0]["results"].as_array().unwrap() {
            let place = &result["locations"][0]["physicalLocation"];
            assert_eq!(place["artifactLocation"]["uri"], path);
            assert!(place["region"]["endLine"].is_u64() && place["region"]["endColumn"].is_u64(), "{place}");
        }
    }
    // Text is for the person who typed the command.
    assert!(output("text", "").contains("--> evals/faulty.json:"));
}

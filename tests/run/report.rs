//! `report --html`: a run as one page.

use data_encoding::BASE64;
use hmac_sha256::Hash as Sha256;
use serde_json::{Value, json};

use crate::run::support::Workspace;

const YES: &str = r#"{ "must_say_any": ["yes"] }"#;
const EVIL: &str = "</script><img src=x onerror=alert(1)><!-- %DATA% \u{2028} yes";

fn answer(workspace: &Workspace, case: &str, response: &str) {
    let transcript = json!({ "format": "eval-ls/transcript@1", "case": case, "response": response });
    workspace.write(&format!("transcripts/s.evals/{case}.json"), &transcript.to_string());
}

/// Two runs: `C0` passes and then fails, `C1` is hostile and passes, `C2` has no transcript.
fn workspace() -> Workspace {
    let workspace = Workspace::new();
    workspace.suite(&[(YES, Some("one\nyes\nthree")), (YES, Some(EVIL)), (YES, None)]);
    workspace.run(&["run"]);
    answer(&workspace, "C0", "one\nno\nthree");
    workspace.run(&["run"]);
    workspace
}

fn between<'a>(page: &'a str, start: &str, end: &str) -> &'a str {
    page.split_once(start).unwrap().1.split_once(end).unwrap().0
}

fn page(workspace: &Workspace, arguments: &[&str]) -> (String, Value) {
    let ran = workspace.run(&[&["report", "--html", "page.html"], arguments].concat());
    assert_eq!(ran.status, 0, "{}", ran.err);
    let page = std::fs::read_to_string(workspace.path().join("page.html")).unwrap();
    let data = serde_json::from_str(between(&page, "id=\"data\">", "</script>")).unwrap();
    (page, data)
}

#[test]
fn a_page_has_what_regressed_first() {
    let (_, data) = page(&workspace(), &[]);
    assert_eq!(data["verdict"], "1 of 3 cases passed, 1 failed, 1 error (1 regressed)");
    assert_eq!(data["passed"], false);
    let ids: Vec<&str> = data["cases"].as_array().unwrap().iter().map(|case| case["case"].as_str().unwrap()).collect();
    assert_eq!(ids, ["C0", "C2", "C1"]);
    let case = &data["cases"][0];
    assert_eq!((&case["status"], &case["change"]), (&json!("FAIL"), &json!("regressed")));
    assert_eq!(case["diff"], json!([[" ", "one"], ["-", "yes"], ["+", "no"], [" ", "three"]]));
    assert_eq!(case["history"].as_array().unwrap().len(), 2);
    assert_eq!(data["cases"][2]["response"], EVIL);
}

#[test]
fn a_page_runs_only_its_own_script() {
    let (page, _) = page(&workspace(), &[]);
    let policy = between(&page, "Content-Security-Policy\" content=\"", "\"");
    assert!(policy.starts_with("default-src 'none'; style-src 'sha256-"), "{policy}");
    for text in [between(&page, "<style>", "</style>"), between(&page, "</script>\n<script>", "</script>")] {
        let hash = format!("'sha256-{}'", BASE64.encode(&Sha256::hash(text.as_bytes())));
        assert!(policy.contains(&hash), "{policy} {hash}");
    }
    // The text of an answer cannot end the element that it is in.
    assert!(!between(&page, "id=\"data\">", "</script>").contains('<'));
    assert_eq!(page.matches("<script").count(), 2);
    assert_eq!((page.matches("http://").count(), page.matches("https://").count()), (0, 0));
}

#[test]
fn runs_are_named_and_compared() {
    let workspace = workspace();
    let runs: Vec<Value> = serde_json::from_str(&workspace.run(&["runs", "--format", "json"]).out).unwrap();
    let [last, first] = [0, 1].map(|at: usize| runs[at]["id"].as_str().unwrap());
    let (_, data) = page(&workspace, &[last, first]);
    assert_eq!(data["verdict"], "2 of 3 cases passed, 1 error");
    assert!(data["sentence"].as_str().unwrap().starts_with("Compared with replay, 20"), "{data}");
    let (_, alone) = page(&workspace, &[first]);
    assert_eq!(alone["sentence"], "", "nothing came before");
}

#[test]
fn a_page_that_cannot_be_made_has_a_clear_error() {
    let workspace = Workspace::new();
    workspace.suite(&[(YES, Some("yes"))]);
    let ran = workspace.run(&["report", "--html", "page.html"]);
    assert_eq!(ran.status, 4);
    assert!(ran.err.contains("`eval-ls run` keeps one"), "{}", ran.err);
    assert_eq!(workspace.run(&["report"]).status, 4);
}

#[test]
fn a_run_writes_its_page() {
    let workspace = workspace();
    let ran = workspace.run(&["run", "--report", "html=pages/now.html"]);
    assert_eq!(ran.status, 1, "{}", ran.err);
    let now = std::fs::read_to_string(workspace.path().join("pages/now.html")).unwrap();
    // It is the page of the kept run.
    assert_eq!(now, page(&workspace, &[]).0);

    let ran = workspace.run(&["run", "--report", "html=no.html", "--no-results"]);
    assert_eq!(ran.status, 2);
    assert!(
        ran.err.contains("`--report html` is made from the kept run, and `--no-results` keeps none"),
        "{}",
        ran.err
    );
    workspace.write("broken.evals.json", "{");
    let ran = workspace.run(&["run", "broken.evals.json", "--report", "html=no.html"]);
    assert_eq!(ran.status, 3);
    assert!(ran.err.contains("cannot write the report no.html: the run was not kept"), "{}", ran.err);
    workspace.write("other/eval-ls.toml", "");
    workspace.write("other/t.evals.json", r#"{ "cases": [ { "id": "D", "prompt": "p", "expected": {} } ] }"#);
    let ran = workspace.run(&["run", "s.evals.json", "other", "--no-check", "--report", "html=no.html"]);
    assert_eq!(ran.status, 3);
    assert!(ran.err.contains("the suites belong to 2 workspaces"), "{}", ran.err);
    assert!(!workspace.path().join("no.html").exists());
}

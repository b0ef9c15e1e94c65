//! `report --html`: a run as one page.

use data_encoding::BASE64;
use hmac_sha256::Hash as Sha256;
use serde_json::{Value, json};

use crate::support::{Folder, YES};

const EVIL: &str = "</script><img src=x onerror=alert(1)><!-- %DATA% \u{2028} yes";

/// Two runs: `C0` passes and then fails, `C1` is hostile and passes, `C2` has no transcript.
fn workspace() -> Folder {
    let workspace = Folder::new();
    workspace.suite(&[(YES, Some("one\nyes\nthree")), (YES, Some(EVIL)), (YES, None)]);
    workspace.run(&["run"]);
    workspace.store("C0", "one\nno\nthree");
    workspace.run(&["run"]);
    workspace
}

fn between<'a>(page: &'a str, start: &str, end: &str) -> &'a str {
    page.split_once(start).unwrap().1.split_once(end).unwrap().0
}

fn page(workspace: &Folder, arguments: &[&str]) -> (String, Value) {
    workspace.run(&[&["report", "--html", "page.html"], arguments].concat()).ends(0);
    let page = workspace.read("page.html");
    let data = serde_json::from_str(between(&page, "id=\"data\">", "</script>")).unwrap();
    (page, data)
}

#[test]
fn a_page_has_what_regressed_first() {
    let (_, data) = page(&workspace(), &[]);
    assert_eq!(data["verdict"], "1 of 3 cases passed, 1 failed, 1 error (1 regressed)");
    assert_eq!(data["passed"], false);
    assert_eq!([0, 1, 2].map(|at: usize| &data["cases"][at]["case"]), ["C0", "C2", "C1"]);
    let case = &data["cases"][0];
    assert_eq!([&case["status"], &case["change"]], ["FAIL", "regressed"]);
    assert_eq!(case["diff"], json!([[" ", "one"], ["-", "yes"], ["+", "no"], [" ", "three"]]));
    assert_eq!(data["cases"][2]["response"], EVIL);
}

#[test]
pub(super) fn a_page_runs_only_its_own_script() {
    let (page, _) = page(&workspace(), &[]);
    let policy = between(&page, "Content-Security-Policy\" content=\"", "\"");
    assert!(policy.starts_with("default-src 'none'; style-src 'sha256-"), "{policy}");
    for text in [between(&page, "<style>", "</style>"), between(&page, "</script>\n<script>", "</script>")] {
        let hash = format!("'sha256-{}'", BASE64.encode(&Sha256::hash(text.as_bytes())));
        assert!(policy.contains(&hash), "{policy} {hash}");
    }
    // The text of an answer cannot end the element that it is in.
    assert!(!between(&page, "id=\"data\">", "</script>").contains('<'));
    for (text, count) in [("<script", 2), ("<link", 0), ("http://", 0), ("https://", 0)] {
        assert_eq!(page.matches(text).count(), count, "{text}");
    }
}

#[test]
fn runs_are_named_and_compared() {
    let workspace = workspace();
    let runs = workspace.runs();
    let [last, first] = [0, 1].map(|at: usize| runs[at]["id"].as_str().unwrap());
    let (_, data) = page(&workspace, &[last, first]);
    assert_eq!(data["verdict"], "2 of 3 cases passed, 1 error");
    assert!(data["sentence"].as_str().unwrap().starts_with("Compared with replay, 20"), "{data}");
    let (_, alone) = page(&workspace, &[first]);
    assert_eq!(alone["sentence"], "", "nothing came before");
}

#[test]
fn a_page_that_cannot_be_made_has_a_clear_error() {
    let workspace = Folder::stored(&["yes"]);
    for arguments in [&["report", "--html", "page.html"][..], &["report"]] {
        workspace.run(arguments).complains(4, ["`eval-ls run` keeps one"]);
    }
}

#[test]
pub(super) fn a_run_writes_its_page() {
    let workspace = workspace();
    workspace.run(&["run", "--report", "html=pages/now.html"]).ends(1);
    let now = workspace.read("pages/now.html");
    // It is the page of the kept run.
    assert_eq!(now, page(&workspace, &[]).0);

    let ran = workspace.run(&["run", "--report", "html=no.html", "--no-results"]);
    ran.complains(2, ["`--report html` is made from the kept run, and `--no-results` keeps none"]);
    workspace.write("broken.evals.json", "{");
    let ran = workspace.run(&["run", "broken.evals.json", "--report", "html=no.html"]);
    ran.complains(3, ["cannot write the report no.html: the run was not kept"]);
    workspace.write("other/eval-ls.toml", "");
    workspace.write("other/t.evals.json", r#"{ "cases": [ { "id": "D", "prompt": "p", "expected": {} } ] }"#);
    let ran = workspace.run(&["run", "s.evals.json", "other", "--no-check", "--report", "html=no.html"]);
    ran.complains(3, ["the suites belong to 2 workspaces"]);
    assert!(!workspace.join("no.html").exists());
}

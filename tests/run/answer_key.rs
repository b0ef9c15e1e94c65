//! Targets that read the answers, and those that do not.

use serde_json::Value;

use crate::run::support::{Ran, Workspace};

const YES: &str = r#"{ "must_say_any": ["yes"] }"#;

/// Answers with the stored answer.
const CHEAT: &str = r#"
import json, sys
for line in sys.stdin:
    case = json.loads(line)["case"]
    stored = json.load(open("transcripts/s.evals/" + case + ".json"))
    print(json.dumps({"response": stored["response"]}), flush=True)
"#;

const HONEST: &str = r#"
import json, os, sys
for line in sys.stdin:
    # Looking for files is not reading them.
    os.listdir("transcripts/s.evals")
    print(json.dumps({"response": "yes"}), flush=True)
"#;

fn workspace(agent: &str, setting: &str) -> Workspace {
    let workspace = Workspace::new();
    workspace.suite(&[(YES, Some("yes, at nine")), (YES, Some("yes, at ten")), (YES, Some("yes"))]);
    workspace.agent(agent, "");
    let config = std::fs::read_to_string(workspace.path().join("eval-ls.toml")).unwrap();
    workspace.write("eval-ls.toml", &config.replace("[run]\n", &format!("[run]\n{setting}\n")));
    workspace
}

/// The signs in the result of each case.
fn signs(ran: &Ran) -> Vec<Value> {
    let document: Value = serde_json::from_str(&ran.out).unwrap_or_else(|_| panic!("{ran:?}"));
    let suites = document.as_array().map_or_else(|| vec![document.clone()], Clone::clone);
    suites.iter().flat_map(|suite| suite["cases"].as_array().unwrap()).map(|case| case["answer_key"].clone()).collect()
}

#[cfg(target_os = "linux")]
#[test]
fn a_target_that_reads_the_transcripts_is_marked_in_each_case() {
    let workspace = workspace(CHEAT, "");
    let ran = workspace.run(&["run", "--format", "json"]);
    assert_eq!(ran.status, 0, "{ran:?}");
    let signs = signs(&ran);
    assert_eq!(signs.len(), 3);
    for signs in signs {
        assert!(signs["opened"][0].as_str().unwrap().starts_with("transcripts/s.evals/C"), "{signs}");
        assert_eq!(signs["same_answer"], true);
    }
    let ran = workspace.run(&["run"]);
    let note = "was opened while the target was asked";
    assert!(ran.out.contains("PASS    C0  2 checks passed · `transcripts/s.evals/C"), "{}", ran.out);
    assert!(ran.out.contains(note), "{}", ran.out);
    assert!(
        ran.err.contains("3 cases ran while files with answers were opened: `transcripts/s.evals/C"),
        "{}",
        ran.err
    );
}

#[cfg(target_os = "linux")]
#[test]
fn with_error_there_is_no_verdict_and_nothing_is_stored() {
    let workspace = workspace(CHEAT, "answer_key = \"error\"");
    let before = workspace.files();
    let ran = workspace.run(&["record"]);
    assert_ne!(ran.status, 0, "{ran:?}");
    let stored = |files: Vec<(std::path::PathBuf, Vec<u8>)>| {
        files.into_iter().filter(|(path, _)| path.to_string_lossy().contains("transcripts")).collect::<Vec<_>>()
    };
    assert_eq!(stored(workspace.files()), stored(before));
    let ran = workspace.run(&["run"]);
    assert_eq!(ran.status, 5, "{ran:?}");
    assert!(ran.out.contains("ERROR   C0  `transcripts/s.evals/C"), "{}", ran.out);
}

#[test]
fn a_target_that_does_not_is_not() {
    for setting in ["", "answer_key = \"error\""] {
        let workspace = workspace(HONEST, setting);
        let ran = workspace.run(&["run", "--format", "json"]);
        assert_eq!(ran.status, 0, "{ran:?}");
        let opened = signs(&ran).into_iter().filter(|signs| !signs["opened"].is_null()).count();
        assert_eq!(opened, 0, "{}", ran.out);
        assert_eq!(workspace.run(&["record"]).status, 0);
    }
    let workspace = workspace(CHEAT, "answer_key = \"ignore\"");
    let ran = workspace.run(&["run", "--format", "json"]);
    assert!(ran.status == 0 && signs(&ran).iter().all(Value::is_null), "{ran:?}");
}

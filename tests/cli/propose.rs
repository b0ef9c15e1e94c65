//! `propose`: from a stored answer, a pasted one and that of a run; what it writes.

use serde_json::{Value, json};

use super::challenge::transcript;
use crate::support::Folder;

const SUITE: &str = r#"{
  "name": "shop",
  "version": "0.2.0",
  "cases": [
    {
      "id": "BIKES",
      "prompt": "How many bikes are free at the harbour?",
      "expected": {}
    },
    { "id": "HOURS", "prompt": "When do you open?", "expected": { "must_say_any": ["at nine"] } }
  ]
}
"#;

fn folder() -> Folder {
    let bikes = transcript("BIKES", "How many bikes are free at the harbour?", "There are 12 bikes free.");
    let hours = transcript("HOURS", "When do you open?", "We open at nine.");
    Folder::with(&[
        ("a.evals.json", SUITE),
        ("transcripts/a.evals/BIKES.json", &bikes),
        ("transcripts/a.evals/HOURS.json", &hours),
    ])
}

#[test]
fn the_checks_of_a_stored_answer_are_shown_and_written() {
    let folder = folder();
    let ran = folder.run(&["propose", "BIKES"]).ends(0);
    let out = ran.out.replace('\r', "");
    let entry = r#"{ "label": "bikes", "regex": "(?<![\\d.,−-])(?<![−-]\\p{Sc})12(?![.,]?\\d)\\D{0,40}\\bbikes\\b|\\bbikes\\b\\D{0,40}(?<![\\d.,−-])(?<![−-]\\p{Sc})12(?![.,]?\\d)" }"#;
    assert!(out.contains(&format!("+       \"expected\": {{ \"must_ground_numbers\": [{entry}] }}\n")), "{out}");
    assert!(out.contains(&format!("must_ground_numbers: {entry}\n  fails on 6 of 6 wrong answers · passes ")), "{out}");
    assert!(ran.err.contains("with 1 new check, `BIKES` fails all 6 wrong answers tried"), "{ran:?}");
    assert_eq!(folder.read("a.evals.json"), SUITE);

    let ran = folder.run(&["propose", "BIKES", "--write"]);
    assert!(ran.err.contains("written to `"), "{ran:?}");
    let written: Value = serde_json::from_str(&folder.read("a.evals.json")).unwrap();
    assert_eq!(written["cases"][0]["expected"]["must_ground_numbers"][0]["label"], "bikes");
    folder.run(&["check", "--deny", "warnings"]).complains(0, ["no findings"]);
    folder.run(&["run", "--no-results"]).prints(0, ["2 passed"]);
    assert_eq!(folder.run(&["challenge", "--cases", "BIKES"]).status, 0);
    let ran = folder.run(&["propose", "BIKES"]);
    assert!(ran.err.contains("`BIKES` fails all 6 wrong answers tried already; there is nothing to add"), "{ran:?}");
}

#[test]
fn a_pasted_answer_is_enough() {
    let folder = folder();
    folder.write("pasted.txt", "Only 3 of them, and 40 more at the market.");
    let found = folder.run(&["propose", "BIKES", "--answer", "pasted.txt", "--format", "json"]).ends(0).json();
    let has = |index: usize, number: &str| found["checks"][index]["value"]["regex"].as_str().unwrap().contains(number);
    assert!(has(0, ")3(") && has(1, ")40("), "{found}");
    assert_eq!((&found["still_passes"], &found["written"]), (&json!([]), &json!(false)));
    let ran =
        folder.run_with(&["propose", "BIKES", "--answer", "-", "--format", "json"], b"All are rented; try tomorrow.");
    assert_eq!(ran.json()["checks"][0]["key"], "must_say_any", "{ran:?}");
}

#[test]
fn the_answer_of_a_run_counts_if_it_is_named() {
    let folder = folder();
    assert_eq!(folder.run(&["run"]).status, 0);
    let ran = folder.run(&["propose", "BIKES", "--run", "latest", "--format", "json"]);
    assert!(ran.json()["checks"][0]["value"]["regex"].as_str().unwrap().contains(")12("), "{ran:?}");
}

#[test]
fn what_cannot_be_proposed_is_said() {
    let folder = folder();
    for (args, status, message) in [
        (&["propose", "BIKE"][..], 4, "no suite has the case `BIKE`; did you mean `BIKES`?"),
        (&["propose", "BIKES", "--answer", "none.txt"], 3, "cannot read `none.txt`"),
        (
            &["propose", "HOURS", "--answer", "eval-ls.txt"],
            1,
            "a check of the case fails on this answer: `must_say_any`",
        ),
        (&["propose", "BIKES", "--answer", "echo.txt"], 1, "found no check in this answer with which `BIKES` fails"),
    ] {
        folder.write("eval-ls.txt", "We open at ten.");
        folder.write("echo.txt", "How many bikes are free at the harbour?");
        folder.run(args).complains(status, [message]);
    }
    folder.write("b.evals.json", SUITE);
    let ran = folder.run(&["propose", "BIKES"]);
    assert!(ran.err.contains("2 suites have the case `BIKES`; name one: "), "{ran:?}");
    std::fs::remove_file(folder.join("b.evals.json")).unwrap();
    std::fs::remove_file(folder.join("transcripts/a.evals/BIKES.json")).unwrap();
    let ran = folder.run(&["propose", "BIKES"]);
    assert!(ran.err.contains("the case has no transcript; name a run with `--run`"), "{ran:?}");
}

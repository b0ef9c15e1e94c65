//! What is stored beside a suite for a case or a suite that does not exist.

use crate::support::Folder;

const SUITE: &str = r#"{
  "version": "0.3.0",
  "cases": [
    { "id": "BOOK1", "prompt": "Book a slot.", "expected": { "must_say_any": ["booked"] } },
    { "id": "CANCEL", "prompt": "Cancel it.", "expected": { "must_say_any": ["gone"] } }
  ]
}
"#;

fn transcript(case: &str, prompt: &str) -> String {
    format!(r#"{{ "format": "eval-ls/transcript@2", "case": "{case}", "prompt": "{prompt}", "response": "booked" }}"#)
}

/// The findings of `check` about stored things.
fn strays(folder: &Folder) -> Vec<String> {
    let ran = folder.run(&["check", "--format", "concise"]);
    let lines = ran.out.lines().filter(|line| line.contains("stored-without-case"));
    lines.map(|line| line.split_once("warning").unwrap().1.to_owned()).collect()
}

#[test]
fn what_is_stored_for_no_case_is_one_finding_that_names_a_place() {
    let with_prompt = transcript("OLD NAME", "Cancel it.");
    let other = transcript("GONE", "Something else.");
    let near = transcript("BOOK2", "Book two.");
    let same_prompt = "the case `CANCEL` has the prompt";
    let near_id = "the nearest id is `BOOK1`";
    let no_home = "give a case this id, or delete it";
    for (file, text, named, remedy) in [
        ("transcripts/s.evals/OLD%20NAME.json", &*with_prompt, "`OLD NAME`", same_prompt),
        ("samples/s.evals/OLD%20NAME/fail-1.json", &*with_prompt, "`OLD NAME`", same_prompt),
        ("transcripts/s.evals/BOOK2.json", &*near, "`BOOK2`", near_id),
        ("samples/s.evals/BOOK2/fail-1.md", "booked, not", "`BOOK2`", near_id),
        ("transcripts/s.evals/BOOK2.png", "picture", "`BOOK2`", near_id),
        ("transcripts/s.evals/GONE.json", &*other, "`GONE`", no_home),
        ("samples/s.evals/GONE/fail-y.md", "booked, not", "`GONE`", no_home),
    ] {
        let folder = Folder::with(&[("s.evals.json", SUITE), (file, text)]);
        let found = strays(&folder);
        assert_eq!(found.len(), 1, "{file}: {found:?}");
        assert!(found[0].contains(&format!("no case has the id {named}")), "{found:?}");
        assert!(found[0].contains(&file[..file.rfind('/').unwrap()]), "{file}: {found:?}");
        assert!(found[0].contains(remedy), "{file}: {found:?}");
        let reason = format!("no stored answer; no case has the id {named}, for which");
        assert_eq!(folder.run(&["run"]).out.contains(&reason), remedy == same_prompt, "{file}");
    }
    // All that is stored under one id is one finding.
    let folder = Folder::with(&[
        ("s.evals.json", SUITE),
        ("transcripts/s.evals/OLD%20NAME.json", &with_prompt),
        ("samples/s.evals/OLD%20NAME/fail-1.md", "x"),
    ]);
    let found = strays(&folder);
    assert_eq!(found.len(), 1, "{found:?}");
    for part in ["transcripts/s.evals/OLD%20NAME.json", "samples/s.evals/OLD%20NAME"] {
        assert!(found[0].contains(part), "{found:?}");
    }
    // A case that has its own is not a home.
    folder.write("transcripts/s.evals/CANCEL.json", transcript("CANCEL", "Cancel it."));
    assert!(strays(&folder)[0].contains(no_home), "{:?}", strays(&folder));
}

#[test]
fn what_is_stored_for_no_suite_is_one_finding() {
    let answer = transcript("BOOK1", "Book a slot.");
    let other = SUITE.replace("BOOK1", "X1").replace("CANCEL", "X2");
    for (file, text) in
        [("transcripts/old.evals/BOOK1.json", &*answer), ("samples/old.evals/BOOK1/fail-x.md", "booked, not")]
    {
        // The suite of the same cases comes after another one.
        let folder = Folder::with(&[("a.evals.json", &other), ("s.evals.json", SUITE), (file, text)]);
        let found = strays(&folder);
        assert_eq!(found.len(), 1, "{file}: {found:?}");
        assert!(found[0].contains("no suite has the name `old.evals`"), "{found:?}");
        assert!(found[0].contains("this suite has cases of the same ids"), "{found:?}");
        // No suite has such cases.
        folder.write("s.evals.json", SUITE.replace("BOOK1", "Y1"));
        let found = strays(&folder);
        assert_eq!(found.len(), 1, "{file}: {found:?}");
        assert!(found[0].contains("give a suite this name, or delete it"), "{found:?}");
        // A suite that is not checked now is one.
        folder.write("old.evals.json", SUITE);
        assert_eq!(strays(&folder), Vec::<String>::new(), "{file}");
    }
}

#[test]
fn what_is_stored_for_a_case_or_is_of_others_is_no_finding() {
    let folder = Folder::with(&[
        ("s.evals.json", SUITE),
        ("transcripts/s.evals/BOOK1.json", &transcript("BOOK1", "Book a slot.")),
        ("transcripts/s.evals/BOOK1.png", "picture"),
        ("transcripts/s.evals/README.md", "mine"),
        ("transcripts/notes/list.json", "{}"),
        ("samples/s.evals/BOOK1/fail-1.md", "nothing"),
        ("samples/pictures/cats/one.png", "mine"),
        ("samples/README.md", "mine"),
    ]);
    std::fs::create_dir_all(folder.join("samples/s.evals/EMPTY")).unwrap();
    assert_eq!(strays(&folder), Vec::<String>::new());
    // While the text is broken, nobody knows its cases.
    folder.write("s.evals.json", SUITE.replace("\"BOOK1\",", "\"BOOK1"));
    assert_eq!(strays(&folder), Vec::<String>::new());
}

#[test]
fn many_strays_are_few_findings() {
    let folder = Folder::with(&[("s.evals.json", SUITE)]);
    for number in 0..100 {
        folder.write(format!("transcripts/s.evals/GONE-{number:03}.json"), transcript("x", "y"));
    }
    let found = strays(&folder);
    assert_eq!(found.len(), 20, "{found:?}");
    assert!(found.iter().any(|line| line.contains("80 other ids")), "{found:?}");
}

#[cfg(unix)]
#[test]
fn no_link_is_followed_and_no_text_becomes_a_path() {
    let outside = Folder::with(&[
        ("s.evals/SECRET.json", &transcript("SECRET", "Book a slot.")),
        ("s.evals/SECRET/fail-1.md", "x"),
    ]);
    for shelf in ["transcripts", "samples"] {
        let folder = Folder::with(&[("s.evals.json", SUITE)]);
        folder.link(shelf, outside.path());
        assert_eq!(strays(&folder), Vec::<String>::new(), "{shelf}");
    }
    for (link, to) in [
        ("transcripts/s.evals", "s.evals"),
        ("transcripts/s.evals/SECRET.json", "s.evals/SECRET.json"),
        ("samples/s.evals/SECRET", "s.evals/SECRET"),
    ] {
        let folder = Folder::with(&[("s.evals.json", SUITE)]);
        folder.link(link, outside.join(to));
        assert_eq!(strays(&folder), Vec::<String>::new(), "{link}");
    }
    let folder = Folder::with(&[
        ("s.evals.json", SUITE),
        ("transcripts/s.evals/X.json", &transcript("../../../../etc/passwd", "Book a slot.")),
    ]);
    let found = strays(&folder).join("\n");
    assert!(found.contains("no case has the id `X`") && !found.contains("etc/passwd"), "{found}");
}

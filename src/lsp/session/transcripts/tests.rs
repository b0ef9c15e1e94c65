use std::fs;
use std::time::Duration;

use tempfile::TempDir;

use super::*;
use crate::text::Text;
use crate::transcript::Event;

const CASE: &str = r#"{"format": "eval-ls/transcript@1", "case": "A", "response": "kept"}"#;

/// A suite with cases of these ids.
fn document(ids: &[String]) -> Document {
    let cases: Vec<_> = ids.iter().map(|id| format!(r#"{{ "id": "{id}" }}"#)).collect();
    Document::new(Text::from(format!(r#"{{ "cases": [{}] }}"#, cases.join(","))), None)
}

/// A suite's folder with transcripts.
struct Suite {
    folder: TempDir,
    uri: Uri,
    config: Arc<Config>,
    /// The ids of the cases.
    ids: Vec<String>,
    transcripts: Transcripts,
}

impl Suite {
    fn open(files: &[(&str, &str)]) -> Suite {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir_all(folder.path().join("transcripts/a")).unwrap();
        let uri = "file:///a.json".parse().unwrap();
        let ids = ["A", "B", "C"].map(str::to_owned).to_vec();
        let mut suite = Suite { folder, uri, config: Arc::default(), ids, transcripts: Transcripts::default() };
        files.iter().for_each(|(name, text)| suite.write(name, text));
        let path = suite.folder.path().join("a.json");
        suite.transcripts.configure(&suite.uri, Some(&path), &suite.config);
        suite
    }

    fn write(&self, name: &str, text: &str) {
        let path = self.folder.path().join("transcripts/a").join(name);
        crate::files::replace(&path, text.as_bytes()).unwrap();
    }

    /// Reads the pending files; returns how many suites have changed answers.
    fn read(&mut self) -> usize {
        let mut changed = 0;
        while let Some(next) = self.transcripts.next_to_read() {
            let files = next.read(&document(&self.ids));
            let is_changed = self.transcripts.take_files(&next.uri, files, self.ids.iter().map(String::as_str));
            changed += usize::from(is_changed);
        }
        changed
    }

    fn look_and_read(&mut self) -> usize {
        self.transcripts.look_at_all();
        self.read()
    }

    fn keep(&mut self, response: &str) {
        let transcript = Transcript { case: "A".to_owned(), response: response.to_owned(), ..Transcript::default() };
        self.transcripts.keep(&self.uri.clone(), "A", transcript);
    }

    fn response(&self, id: &str) -> Option<Result<String, String>> {
        let answers = self.transcripts.answers(&self.uri);
        let answer = answers.of(id)?;
        Some(answer.transcript.as_ref().map(|transcript| transcript.response.clone()).map_err(Clone::clone))
    }
}

fn said(response: &str) -> Option<Result<String, String>> {
    Some(Ok(response.to_owned()))
}

#[test]
fn files_are_read_again_only_where_they_have_changed() {
    let mut suite = Suite::open(&[("A.json", CASE), ("B.json", "{"), ("notes.txt", "")]);
    assert_eq!(suite.response("A"), None);
    assert_eq!(suite.read(), 1);
    assert_eq!(suite.response("A"), said("kept"));
    let fault = suite.response("B").unwrap().unwrap_err();
    assert!(fault.ends_with("B.json: line 1, column 2: expected `}`: the `{` is never closed"), "{fault}");
    assert_eq!(suite.response("notes"), None);

    let kept = suite.transcripts.answers(&suite.uri);
    assert_eq!(suite.look_and_read(), 0);
    suite.write("C.json", &CASE.replace("\"A\"", "\"C\""));
    assert_eq!(suite.look_and_read(), 1);
    let now = suite.transcripts.answers(&suite.uri);
    assert!(Arc::ptr_eq(kept.of("A").unwrap(), now.of("A").unwrap()));
    assert_eq!(suite.response("C"), said("kept"));

    fs::remove_file(suite.folder.path().join("transcripts/a/A.json")).unwrap();
    assert_eq!(suite.look_and_read(), 1);
    assert_eq!(suite.response("A"), None);
}

#[test]
fn an_answer_in_memory_counts_until_a_later_one_is_kept() {
    let mut suite = Suite::open(&[("A.json", CASE)]);
    suite.read();
    suite.keep("live");
    assert_eq!(suite.read(), 0);
    assert_eq!(suite.response("A"), said("live"));
    let answers = suite.transcripts.answers(&suite.uri);
    assert_eq!(answers.kept("A").unwrap().transcript.as_ref().unwrap().response, "kept");

    suite.write("A.json", &CASE.replace("kept", "later"));
    let file = fs::File::options().write(true).open(suite.folder.path().join("transcripts/a/A.json")).unwrap();
    file.set_modified(SystemTime::now() + Duration::from_secs(60)).unwrap();
    assert_eq!(suite.look_and_read(), 1);
    assert_eq!(suite.response("A"), said("later"));
    assert!(suite.transcripts.answers(&suite.uri).live("A").is_none());
}

#[test]
fn an_answer_that_was_recorded_is_that_in_the_file() {
    let mut suite = Suite::open(&[("A.json", CASE)]);
    suite.keep("kept");
    suite.read();
    let answers = suite.transcripts.answers(&suite.uri);
    assert!(answers.live("A").is_none());
    assert!(answers.of("A").unwrap().file.is_some());
}

#[test]
fn answers_in_memory_outlast_the_closing_of_their_suite() {
    let mut suite = Suite::open(&[("B.json", &CASE.replace("\"A\"", "\"B\""))]);
    suite.read();
    suite.keep("live");
    suite.transcripts.close(&suite.uri.clone());
    assert_eq!(suite.response("A"), said("live"));
    assert_eq!(suite.response("B"), None);
    assert_eq!(suite.look_and_read(), 0);
    let path = suite.folder.path().join("a.json");
    suite.transcripts.configure(&suite.uri, Some(&path), &suite.config);
    assert_eq!(suite.read(), 1);
    assert_eq!((suite.response("A"), suite.response("B")), (said("live"), said("kept")));
}

/// An answer of a browser target, as a page in the ARIA grammar and as its text.
const WITH_PAGE: &str = r#"{"format": "eval-ls/transcript@2", "case": "A", "target": "app",
    "response_from": {"form": "snapshot"}, "response": "- log: one", "page": {"after": {"text": "one"}}}"#;

#[test]
fn another_form_of_the_response_is_read_if_the_configuration_wants_it() {
    let mut suite = Suite::open(&[("A.json", WITH_PAGE)]);
    suite.read();
    let path = suite.folder.path().join("a.json");
    for (form, response) in [("snapshot", Ok("- log: one")), ("reply", Err(())), ("text", Ok("one"))] {
        let text = format!("[targets.app]\nkind = \"browser\"\nurl = \"http://x\"\nresponse = \"{form}\"");
        let config = Arc::new(Config::parse(&text, &[]).0);
        suite.transcripts.configure(&suite.uri.clone(), Some(&path), &config);
        suite.read();
        // An answer of an earlier form is that of its kept run.
        assert_eq!(suite.response("B"), None);
        let live = Transcript { case: "B".to_owned(), ..Transcript::parse(WITH_PAGE).unwrap() };
        suite.transcripts.keep(&suite.uri.clone(), "B", live);
        for id in ["A", "B"] {
            let found = suite.response(id).unwrap();
            assert_eq!(found.as_deref().map_err(|_| ()), response, "{form} {id}");
            let fault = "the transcript does not have the response in the form `reply`; record the case again";
            assert!(found.err().is_none_or(|found| found.ends_with(fault)), "{form} {id}");
        }
    }
}

/// Creates a file of that length without writing its bytes.
fn sparse(suite: &Suite, name: &str, bytes: u64) {
    let path = suite.folder.path().join("transcripts/a").join(name);
    fs::File::create(path).unwrap().set_len(bytes).unwrap();
}

#[test]
fn a_large_transcript_is_not_read() {
    let mut suite = Suite::open(&[("A.json", CASE)]);
    sparse(&suite, "B.json", 17 << 20);
    suite.read();
    assert_eq!(suite.response("A"), said("kept"));
    let reason = suite.response("B").unwrap().unwrap_err();
    let expected = "too large for the editor, which reads transcripts of up to 16 MiB, and keeps up to 256 MiB in memory for \
                    all open suites; `eval-ls run` judges it";
    assert!(reason.ends_with(expected), "{reason}");
    assert_eq!(suite.look_and_read(), 0, "nothing has changed");
}

#[test]
fn a_transcript_with_many_values_is_not_parsed() {
    let mut suite = Suite::open(&[("A.json", CASE)]);
    let values = "{},".repeat(2_000_000);
    suite.write("B.json", &CASE.replace("\"kept\"", &format!("\"x\", \"telemetry\": [{values}{{}}]")));
    suite.read();
    assert_eq!(suite.response("A"), said("kept"));
    assert!(suite.response("B").unwrap().unwrap_err().contains("too large for the editor"));
    assert_eq!(suite.transcripts.memory(&suite.uri).left_out, 1);
    assert_eq!(suite.look_and_read(), 0, "nothing has changed");
}

#[test]
fn files_of_no_case_are_not_read_until_a_case_has_the_name() {
    let mut suite = Suite::open(&[("A.json", CASE), ("New.json", &CASE.replace("\"A\"", "\"New\""))]);
    suite.read();
    assert_eq!(suite.response("New"), None);
    let uri = suite.uri.clone();
    suite.ids.push("New".to_owned());
    suite.transcripts.look_at(&uri);
    assert_eq!(suite.read(), 1);
    assert_eq!(suite.response("New"), said("kept"));
}

#[test]
fn the_transcripts_share_a_limit_and_small_ones_come_first() {
    let mut suite = Suite::open(&[("A.json", CASE)]);
    for number in 0..9 {
        suite.write(&format!("Z{number}.json"), &" ".repeat((15 << 20) + number));
    }
    suite.ids.extend((0..9).map(|number| format!("Z{number}")));
    suite.read();
    assert_eq!(suite.response("A"), said("kept"));
    let not_read = |id: &str| suite.response(id).unwrap().unwrap_err().contains("too large for the editor");
    let refused: Vec<bool> = (0..9).map(|number| not_read(&format!("Z{number}"))).collect();
    assert_eq!(refused, [false, false, false, false, false, false, false, false, true]);
    assert!(suite.transcripts.all_memory() <= MAX_MEMORY);
}

#[test]
fn all_suites_share_one_limit() {
    let folder = tempfile::tempdir().unwrap();
    let large = folder.path().join("large");
    fs::write(&large, " ".repeat(15 << 20)).unwrap();
    let mut transcripts = Transcripts::default();
    let uris = ["a", "b"].map(|name| -> Uri {
        let path = folder.path().join(format!("{name}.json"));
        let kept = folder.path().join("transcripts").join(name);
        fs::create_dir_all(&kept).unwrap();
        for number in 0..9 {
            fs::hard_link(&large, kept.join(format!("{name}{number}.json"))).unwrap();
        }
        let uri: Uri = format!("file:///{name}.json").parse().unwrap();
        transcripts.configure(&uri, Some(&path), &Arc::default());
        uri
    });
    let read = |transcripts: &mut Transcripts| {
        while let Some(next) = transcripts.next_to_read() {
            let ids = (0..9).map(|number| format!("{}{number}", next.path.file_stem().unwrap().display()));
            let files = next.read(&document(&ids.collect::<Vec<_>>()));
            transcripts.take_files(&next.uri, files, std::iter::empty());
        }
    };
    read(&mut transcripts);
    let left_out = |transcripts: &Transcripts| uris.each_ref().map(|uri| transcripts.memory(uri).left_out);
    assert_eq!(left_out(&transcripts), [1, 9]);
    // The memory of a suite that is closed is that of the others.
    transcripts.close(&uris[0]);
    read(&mut transcripts);
    assert_eq!(left_out(&transcripts), [0, 1]);
}

#[test]
fn answers_of_live_runs_count_in_the_limit() {
    let mut suite = Suite::open(&[]);
    let uri = suite.uri.clone();
    let large = |length: usize| Transcript { response: "x".repeat(length), ..Transcript::default() };
    for number in 0..18 {
        suite.transcripts.keep(&uri, &number.to_string(), large(15 << 20));
    }
    let too_large =
        |suite: &Suite, id: &str| suite.response(id).unwrap().is_err_and(|reason| reason.contains("too large"));
    assert!(!too_large(&suite, "16") && too_large(&suite, "17"));
    assert!(suite.transcripts.all_memory() <= MAX_MEMORY);
    // A smaller answer takes the place of a large one.
    suite.transcripts.keep(&uri, "0", large(1));
    suite.transcripts.keep(&uri, "17", large(15 << 20));
    assert!(!too_large(&suite, "17"));
    let events = (0..400_000).map(|_| Event::from_value(serde_json::json!({}))).collect();
    suite.transcripts.keep(&uri, "many", Transcript { telemetry: events, ..Transcript::default() });
    assert!(too_large(&suite, "many"));
}

#[cfg(unix)]
#[test]
fn a_transcript_that_is_a_link_is_not_read() {
    let elsewhere = tempfile::tempdir().unwrap();
    let mut suite = Suite::open(&[("C.json", CASE)]);
    let outside = elsewhere.path().join("x.json");
    fs::write(&outside, CASE).unwrap();
    let folder = suite.folder.path().join("transcripts/a");
    std::os::unix::fs::symlink(&outside, folder.join("B.json")).unwrap();
    std::os::unix::fs::symlink("C.json", folder.join("A.json")).unwrap();
    suite.read();
    let reason = suite.response("A").unwrap().unwrap_err();
    assert!(reason.ends_with("it is a link, and links are not followed here"), "{reason}");
    assert_eq!(suite.response("B"), None);
}

use std::fs;
use std::time::Duration;

use tempfile::TempDir;

use super::*;
use crate::transcript::Store;

const CASE: &str = r#"{"format": "eval-ls/transcript@1", "case": "A", "response": "kept"}"#;

/// A suite's folder with transcripts.
struct Suite {
    folder: TempDir,
    uri: Uri,
    config: Arc<Config>,
    transcripts: Transcripts,
}

impl Suite {
    fn open(files: &[(&str, &str)]) -> Suite {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir_all(folder.path().join("transcripts/a")).unwrap();
        let uri = "file:///a.json".parse().unwrap();
        let mut suite = Suite { folder, uri, config: Arc::default(), transcripts: Transcripts::default() };
        files.iter().for_each(|(name, text)| suite.write(name, text));
        let path = suite.folder.path().join("a.json");
        suite.transcripts.configure(&suite.uri, Some(&path), &suite.config);
        suite
    }

    fn write(&self, name: &str, text: &str) {
        let path = self.folder.path().join("transcripts/a").join(name);
        crate::files::replace(&path, text.as_bytes()).unwrap();
    }

    /// Reads the pending files; returns the suites with changed answers.
    fn read(&mut self) -> usize {
        while let Some(next) = self.transcripts.next_to_read() {
            let files = Files::read(&Store::new(&next.path, &next.config), self.folder.path(), &next.known);
            self.transcripts.take_files(&next.uri, files, ["A", "B", "C"].into_iter());
        }
        self.transcripts.take_changed().len()
    }

    fn look_and_read(&mut self) -> usize {
        self.transcripts.look_at_all();
        self.read()
    }

    fn keep(&mut self, response: &str) {
        let transcript = Transcript { case: "A".to_owned(), response: response.to_owned(), ..Transcript::default() };
        self.transcripts.keep(&self.uri.clone(), "A", Arc::new(transcript));
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
    assert_eq!(suite.read(), 1);
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
    let mut suite = Suite::open(&[("B.json", CASE)]);
    suite.read();
    suite.keep("live");
    suite.transcripts.close(&suite.uri.clone());
    assert_eq!(suite.response("A"), said("live"));
    assert_eq!(suite.response("B"), None);
    assert_eq!(suite.look_and_read(), 1);
    let path = suite.folder.path().join("a.json");
    suite.transcripts.configure(&suite.uri, Some(&path), &suite.config);
    assert_eq!(suite.read(), 1);
    assert_eq!((suite.response("A"), suite.response("B")), (said("live"), said("kept")));
}

/// An answer of a browser target, as a page in the ARIA grammar and as its text.
const WITH_PAGE: &str = r#"{"format": "eval-ls/transcript@2", "case": "A", "target": "app",
    "response_from": {"form": "aria"}, "response": "- log: one", "page": {"after": {"text": "one"}}}"#;

#[test]
fn another_form_of_the_response_is_read_if_the_configuration_wants_it() {
    let mut suite = Suite::open(&[("A.json", WITH_PAGE)]);
    let live = Transcript { case: "B".to_owned(), ..Transcript::parse(WITH_PAGE).unwrap() };
    suite.transcripts.keep(&suite.uri.clone(), "B", Arc::new(live));
    suite.read();
    let path = suite.folder.path().join("a.json");
    for (form, response) in [("aria", Ok("- log: one")), ("reply", Err(())), ("text", Ok("one"))] {
        let text = format!("[targets.app]\nkind = \"browser\"\nurl = \"http://x\"\nresponse = \"{form}\"");
        let config = Arc::new(Config::parse(&text, &[]).0);
        suite.transcripts.configure(&suite.uri.clone(), Some(&path), &config);
        suite.read();
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
    assert!(
        reason.ends_with("too large for the editor, which reads up to 16 MiB of a transcript, and 128 MiB for a suite")
    );
}

#[test]
fn the_transcripts_of_a_suite_share_a_limit_and_small_ones_come_first() {
    let mut suite = Suite::open(&[("A.json", CASE)]);
    (0..9).for_each(|number| sparse(&suite, &format!("Z{number}.json"), (15 << 20) + number));
    suite.read();
    assert_eq!(suite.response("A"), said("kept"));
    let not_read = |id: &str| suite.response(id).unwrap().unwrap_err().contains("too large for the editor");
    let refused: Vec<bool> = (0..9).map(|number| not_read(&format!("Z{number}"))).collect();
    assert_eq!(refused, [false, false, false, false, false, false, false, false, true]);
}

#[cfg(unix)]
#[test]
fn a_link_is_followed_only_below_the_folder_of_the_suite() {
    let elsewhere = tempfile::tempdir().unwrap();
    let mut suite = Suite::open(&[("C.json", CASE)]);
    let outside = elsewhere.path().join("x.json");
    fs::write(&outside, CASE).unwrap();
    let folder = suite.folder.path().join("transcripts/a");
    std::os::unix::fs::symlink(&outside, folder.join("B.json")).unwrap();
    std::os::unix::fs::symlink("C.json", folder.join("A.json")).unwrap();
    suite.read();
    assert_eq!(suite.response("A"), said("kept"));
    assert_eq!(suite.response("B"), None);
}

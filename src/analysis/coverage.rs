//! The lines of an open transcript that the checks of its case depend on.

use std::path::Path;
use std::sync::Arc;

use super::Document;
use super::verdicts::{Answer, Answers};
use crate::challenge;
use crate::suite::Case;
use crate::text::{Span, counted};
use crate::transcript::{Store, Transcript};
use crate::wording::{cut, plain};

/// A note in a transcript's text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct CoverageNote {
    /// The place of the note, in bytes of the text.
    pub(crate) offset: usize,
    /// One line of plain text: the ids of the checks, or the counts.
    pub(crate) label: String,
    /// All ids, one a line.
    pub(crate) checks: Vec<String>,
}

/// How many ids a note names. A note is beside code.
const LISTED: usize = 3;
/// The longest label, in code points. A label is beside code.
const LONGEST: usize = 80;

/// The text by which a document is recognised as a transcript.
const MARK: &str = "eval-ls/transcript@";

/// The transcript in a text; `None` if the text is none, or not a whole one.
pub(crate) fn transcript_in(text: &str) -> Option<Transcript> {
    if !text.contains(MARK) {
        return None;
    }
    Transcript::parse(text).ok()
}

/// The case of a suite that the transcript belongs to, and how well it fits: 2 if the suite stores its transcripts in the
/// folder of `path`, 1 if the case has the transcript's prompt, 0 if it only has its id.
pub(crate) fn case_of(
    document: &Document,
    answers: &Answers,
    transcript: &Transcript,
    path: Option<&Path>,
) -> Option<(Arc<Case>, u8)> {
    let is_meant = |case: &Case| case.id.as_ref().is_some_and(|id| id.value == transcript.case);
    let placed = document.suite().cases.iter().find(|placed| is_meant(&placed.case))?;
    let store = document.path().map(|path| Store::new(path, answers.config()));
    let is_kept = store.is_some_and(|store| path.and_then(Path::parent) == Some(store.folder()));
    let prompt = placed.case.prompt.as_ref().map(|prompt| prompt.value.as_str());
    let rank = if is_kept { 2 } else { u8::from(prompt == transcript.prompt.as_deref()) };
    Some((Arc::clone(&placed.case), rank))
}

/// The notes on the text of a transcript: after each line of the response that a check depends on, the ids of the checks;
/// before the response, how many lines that are. `answers` define how the response is read.
pub(crate) fn coverage_notes(case: &Case, text: &str, transcript: Transcript, answers: &Answers) -> Vec<CoverageNote> {
    let Ok(transcript) = transcript.viewed(&crate::transcript::Wanted::by(answers.config())) else {
        return Vec::new();
    };
    let Some(lines) = challenge::coverage(case, &transcript, answers.config()) else { return Vec::new() };
    let answer = Answer::kept(Path::new("").to_owned(), Ok((transcript, text.to_owned())));
    let Some((start, places)) = answer.response_lines() else { return Vec::new() };
    let covered = lines.iter().filter(|line| !line.checks.is_empty()).count();
    let label = format!("checks depend on {covered} of {}", counted(lines.len(), "line"));
    let mut notes = vec![CoverageNote { offset: start, label, checks: Vec::new() }];
    for (line, span) in lines.into_iter().zip(places).filter(|(line, _)| !line.checks.is_empty()) {
        notes.push(CoverageNote { offset: span.end, label: named(&line.checks), checks: line.checks });
    }
    notes
}

fn named(ids: &[String]) -> String {
    let mut label: Vec<String> = ids.iter().take(LISTED).map(|id| plain(id)).collect();
    if ids.len() > LISTED {
        label.push(format!("{} more", ids.len() - LISTED));
    }
    cut(&label.join(", "), LONGEST)
}

impl Answer {
    /// Where the response starts in the answer's file, and the place of each of its lines; `None` without a file.
    fn response_lines(&self) -> Option<(usize, Vec<Span>)> {
        let (literal, offsets) = self.response_offsets()?;
        let response = &self.transcript.as_ref().ok()?.response;
        let mut start = 0;
        let spans = response.split('\n').map(|line| {
            let here = Span::new(start, start + line.len());
            start = here.end + 1;
            // An empty line has no text; its place is that of the line break before it.
            let here = if here.is_empty() { Span::new(here.start.saturating_sub(1), here.end) } else { here };
            let place = offsets.span(here);
            place.shifted_by(literal.start)
        });
        Some((literal.start, spans.collect()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::Text;

    const SUITE: &str = r#"{ "version": "0.2.0", "cases": [ { "id": "A", "prompt": "p", "expected": {
        "must_say_any": ["commits"], "must_ground_numbers": [{ "value": "12" }], "must_match_regex": ["^Sources"] } } ] }"#;

    fn noted(text: &str) -> String {
        let document = Document::new(Text::new(SUITE), None);
        let transcript = transcript_in(text).unwrap();
        let (case, _) = case_of(&document, &Answers::default(), &transcript, None).unwrap();
        let notes = coverage_notes(&case, text, transcript, &Answers::default());
        let mut noted = text.to_owned();
        for note in notes.iter().rev() {
            noted.insert_str(note.offset, &format!("‹{}›", note.label));
        }
        noted
    }

    #[test]
    fn lines_that_checks_depend_on_have_their_ids() {
        let text = r#"{ "format": "eval-ls/transcript@1", "case": "A", "prompt": "p", "response": "Hello \"you\".\nThere are 12 commits.\nSources: Git\n" }"#;
        let expected = r#""response": ‹checks depend on 2 of 3 lines›"Hello \"you\".\nThere are 12 commits.‹must_say_any, synthesis:numeric:12›\nSources: Git‹format:must_match_regex:^Sources›\n" }"#;
        assert!(noted(text).ends_with(expected), "{}", noted(text));
    }

    #[test]
    fn only_a_whole_transcript_is_taken_for_one() {
        assert!(transcript_in(r#"{ "case": "A", "response": "" }"#).is_none());
        assert!(transcript_in(r#"{ "format": "eval-ls/transcript@1", "case": "A" "#).is_none());
        assert!(transcript_in(r#"{ "format": "eval-ls/transcript@1", "case": "A", "response": "" }"#).is_some());
    }

    #[test]
    fn a_case_is_found_by_its_folder_before_its_prompt() {
        let found = |suite: Option<&str>, prompt: &str, path: &str| {
            let document = Document::new(Text::new(SUITE), suite.map(Into::into));
            let transcript =
                Transcript { case: "A".to_owned(), prompt: Some(prompt.to_owned()), ..Transcript::default() };
            case_of(&document, &Answers::default(), &transcript, Some(Path::new(path))).map(|(_, rank)| rank)
        };
        assert_eq!(found(Some("/w/a.json"), "other", "/w/transcripts/a/A.json"), Some(2));
        assert_eq!(found(Some("/w/b.json"), "p", "/w/transcripts/a/A.json"), Some(1));
        assert_eq!(found(None, "other", "/w/transcripts/a/A.json"), Some(0));
        let other = Transcript { case: "B".to_owned(), ..Transcript::default() };
        let document = Document::new(Text::new(SUITE), None);
        assert!(case_of(&document, &Answers::default(), &other, None).is_none());
    }
}

//! What applies to every input. Each check panics if it does not. The tests here run them, and so do the targets of
//! cargo-fuzz in `fuzz/`.

use std::sync::Arc;
use std::time::SystemTime;

use eval_ls::testing::{
    Answers, CompletionContext, Config, Document, Edit, Node, Span, Suite, Text, Transcript, Workspace, completions,
    config_errors, first_match, hover, judge, messages, offered_edits, parse, symbols,
};

pub(crate) type Check = fn(&[u8]);

pub(crate) const CHECKS: [(&str, Check); 7] = [
    ("syntax", syntax),
    ("edits", edits),
    ("fixes", fixes),
    ("pattern", pattern),
    ("transcript", transcript),
    ("config", config),
    ("frames", frames),
];

/// The parser accepts what serde_json accepts, and its nodes cover each other on whole characters.
pub(crate) fn syntax(input: &[u8]) {
    let text = &String::from_utf8_lossy(input);
    let parsed = parse(text);
    for node in parsed.tree.root(text).into_iter().flat_map(Node::descendants) {
        let span = node.span();
        assert!(text.get(span.range()).is_some(), "{span:?} is not a part of the text");
        let covers = |outer: Span| outer.start <= span.start && span.end <= outer.end;
        assert!(node.parent().is_none_or(|parent| covers(parent.span())), "{span:?} is outside of its parent");
    }
    // serde_json reads 127 levels.
    if text.matches(['[', '{']).count() < 120 {
        let is_json = serde_json::from_str::<serde_json::Value>(text).is_ok();
        assert_eq!(parsed.errors.is_empty(), is_json, "{:?}", parsed.errors);
    }
}

/// A document after edits is the document that is read at once. The input is a text and edits, separated by `\0`. An edit
/// is two bytes for its start, one for its length, and the new text.
pub(crate) fn edits(input: &[u8]) {
    let mut parts = input.split(|byte| *byte == 0);
    let workspace = Arc::default();
    let text = String::from_utf8_lossy(parts.next().unwrap_or_default()).into_owned();
    let mut document = Document::new(Text::new(&text), None);
    let mut text = text;
    for part in parts.take(16) {
        let [high, low, length, with @ ..] = part else { continue };
        let start = text.floor_char_boundary((usize::from(*high) << 8 | usize::from(*low)) % (text.len() + 1));
        let end = text.ceil_char_boundary((start + usize::from(*length)).min(text.len()));
        let with = String::from_utf8_lossy(with);
        document.edit(Span::new(start, end), &with);
        text.replace_range(start..end, &with);
        let fresh = Document::new(Text::new(&text), None);
        assert_eq!(shown(&document, &workspace), shown(&fresh, &workspace), "{text:?}");
    }
}

/// All that an editor shows of a document.
fn shown(document: &Document, workspace: &Arc<Workspace>) -> [String; 2] {
    [format!("{:?}", document.findings(workspace)), format!("{:?}", symbols(document))]
}

/// All features answer at any place, and every offered edit is applicable and keeps JSON readable.
pub(crate) fn fixes(input: &[u8]) {
    let text = &*String::from_utf8_lossy(input);
    let document = Document::new(Text::new(text), None);
    let (workspace, answers) = (Arc::default(), Answers::default());
    let context = CompletionContext { workspace: &workspace, answers: &answers, trigger: None };
    let is_json = serde_json::from_str::<serde_json::Value>(text).is_ok();
    for part in 0..8 {
        let at = text.floor_char_boundary(text.len() * part / 7);
        completions(&document, at, &context);
        hover(&document, &workspace, &answers, at, SystemTime::UNIX_EPOCH, true);
        let end = text.ceil_char_boundary((at + 20).min(text.len()));
        for edits in offered_edits(&document, Span::new(at, end), &workspace) {
            let edited = applied(text, &edits);
            let stays_json = serde_json::from_str::<serde_json::Value>(&edited).is_ok();
            assert!(!is_json || stays_json, "{edits:?} of {text:?}");
        }
    }
}

/// A pattern and a line, separated by a line break, have an answer, and the match is a part of the line.
pub(crate) fn pattern(input: &[u8]) {
    let text = String::from_utf8_lossy(input);
    let (pattern, line) = text.split_once('\n').unwrap_or((&text, ""));
    if let Some(Some(found)) = first_match(pattern, line) {
        assert!(line.get(found.range()).is_some(), "{found:?}");
    }
}

/// A transcript that can be read is the same after it is written, and can be judged.
pub(crate) fn transcript(input: &[u8]) {
    let Ok(transcript) = Transcript::parse(&String::from_utf8_lossy(input)) else { return };
    let again = Transcript::parse(&transcript.to_json()).unwrap_or_else(|fault| panic!("{fault}: {transcript:?}"));
    assert_eq!(again, transcript);
    let suite = r#"{ "cases": [ { "id": "A", "prompt": "p", "expected": { "must_say_any": ["a"], "telemetry": ["b"],
        "tool_calls_any": ["c"], "ui": ["d"], "must_match_regex": ["e+$"], "must_ground_numbers": [1] } } ] }"#;
    let parsed = parse(suite);
    let suite = Suite::lower(parsed.tree.root(suite).expect("a document"));
    judge(&suite.cases[0].case, &transcript, &Config::default());
}

/// The errors of a configuration are at places in it.
pub(crate) fn config(input: &[u8]) {
    let text = String::from_utf8_lossy(input);
    for span in config_errors(&text) {
        assert!(text.get(span.range()).is_some(), "{span:?}");
    }
}

/// Any bytes are read as messages, and a message after them is read too.
pub(crate) fn frames(input: &[u8]) {
    let read = messages(input);
    let body = r#"{"jsonrpc":"2.0","method":"exit"}"#;
    let mut longer = input.to_vec();
    longer.extend(format!("\nContent-Length: {}\r\n\r\n{body}", body.len()).bytes());
    assert!(messages(&longer) >= read.min(1));
}

fn applied(text: &str, edits: &[Edit]) -> String {
    let mut edits: Vec<_> = edits.iter().collect();
    edits.sort_by_key(|edit| (edit.span.start, edit.span.end));
    let (mut edited, mut end) = (String::new(), 0);
    for edit in edits {
        assert!(end <= edit.span.start, "{edit:?} overlaps another edit of {text:?}");
        edited += text.get(end..edit.span.start).expect("edits are on whole characters");
        edited += &edit.text;
        end = edit.span.end;
    }
    edited + text.get(end..).expect("edits are on whole characters")
}

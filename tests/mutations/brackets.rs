//! A bracket that is never closed is one finding, where the indentation ends its container: at each place of each suite,
//! in several layouts.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;

use eval_ls::testing::{Document, Finding, Kind, Span, Text, Workspace, parse};
use serde::Serialize;
use serde_json::Value;
use serde_json::ser::{PrettyFormatter, Serializer};

const LAYOUTS: [&str; 3] = ["  ", "    ", "\t"];

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Loss {
    Bracket,
    /// The line with the bracket and its comma.
    Line,
}

/// A container of a suite: the bytes of its brackets.
#[derive(Clone, Copy, Debug)]
struct Container {
    opener: usize,
    closer: usize,
}

/// A suite without a closing bracket.
struct Broken {
    text: String,
    /// Between which bytes it is missing.
    place: Span,
    /// Where its container opens.
    opener: usize,
}

/// The suites of the examples and of this study, with the paths of their files.
fn suites() -> Vec<(PathBuf, Value)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folders = ["examples", "examples/demo-app", "tests/mutations/suites"];
    let files = folders.iter().flat_map(|folder| fs::read_dir(root.join(folder)).unwrap());
    let mut paths: Vec<_> = files.map(|file| file.unwrap().path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "json"));
    paths.sort();
    let read = |path: PathBuf| {
        let text = fs::read_to_string(&path).unwrap();
        (path, serde_json::from_str(&text).unwrap())
    };
    paths.into_iter().map(read).collect()
}

fn printed(value: &Value, indent: &str) -> String {
    let mut text = Vec::new();
    value
        .serialize(&mut Serializer::with_formatter(&mut text, PrettyFormatter::with_indent(indent.as_bytes())))
        .unwrap();
    String::from_utf8(text).unwrap() + "\n"
}

/// The containers of a printed suite that are not empty.
fn containers(text: &str) -> Vec<Container> {
    let parse = parse(text);
    let root = parse.tree.root(text).unwrap();
    let is_container = |kind: Kind| matches!(kind, Kind::Object | Kind::Array);
    let nodes = root.descendants().filter(|node| is_container(node.kind()) && node.children().next().is_some());
    let mut found: Vec<_> =
        nodes.map(|node| Container { opener: node.span().start, closer: node.span().end - 1 }).collect();
    found.sort_by_key(|container| container.closer);
    found
}

/// The suite without the closing bracket of this container. The text is printed, so it has its own line.
fn without(text: &str, Container { opener, closer }: Container, loss: Loss) -> Broken {
    let start = text[..closer].rfind('\n').map_or(0, |found| found + 1);
    let end = closer + text[closer..].find('\n').unwrap() + 1;
    let (from, to) = match loss {
        Loss::Bracket => (closer, closer + 1),
        Loss::Line => (start, end),
    };
    let before = text[..from].trim_end().len();
    // Up to the next token, and after the comma that is left of the line.
    let after = from + (end - to) + text[end..].find(|c: char| !c.is_whitespace()).unwrap_or(0);
    Broken { text: format!("{}{}", &text[..from], &text[to..]), place: Span::new(before, after), opener }
}

/// What is wrong with the findings of a broken suite; `None` if there is exactly one, at its place.
fn fault(broken: &Broken, path: &Path) -> Option<String> {
    let workspace = Arc::new(Workspace::default());
    let mut found = Document::new(Text::new(&broken.text), Some(path.to_owned())).findings(&workspace);
    found.retain(|finding| finding.lint == "invalid-json");
    let is_right = |finding: &Finding| {
        let is_there = broken.place.start <= finding.span.start && finding.span.end <= broken.place.end;
        is_there && finding.related.iter().any(|related| related.span.start == broken.opener)
    };
    let line = |at: usize| broken.text[..at].matches('\n').count() + 1;
    let shown = || found.iter().map(|one| format!("{}: {}", line(one.span.start), one.message)).collect::<Vec<_>>();
    let wanted = (line(broken.place.start), line(broken.opener));
    let is_one = matches!(&found[..], [one] if is_right(one));
    (!is_one).then(|| format!("{}: lost (line, opened at) {wanted:?}, found {:?}", path.display(), shown()))
}

/// The suites that lack one bracket of a printed suite: each place in one of the layouts.
fn broken(value: &Value) -> Vec<Broken> {
    let of_layout = |(nth, indent): (usize, &&str)| {
        let text = printed(value, indent);
        let places = containers(&text).into_iter().skip(nth).step_by(LAYOUTS.len());
        let losses = places.flat_map(|place| [(place, Loss::Bracket), (place, Loss::Line)]);
        losses.map(|(place, loss)| without(&text, place, loss)).collect::<Vec<_>>()
    };
    LAYOUTS.iter().enumerate().flat_map(of_layout).collect()
}

#[test]
fn an_unclosed_bracket_is_reported_once_where_the_indentation_ends_it() {
    let count: usize = thread::scope(|scope| {
        let check = |(path, value): (PathBuf, Value)| {
            let broken = broken(&value);
            let faults: Vec<_> = broken.iter().filter_map(|broken| fault(broken, &path)).collect();
            assert_eq!(faults, [] as [String; 0], "{} of {}", faults.len(), broken.len());
            broken.len()
        };
        let workers: Vec<_> = suites().into_iter().map(|suite| scope.spawn(move || check(suite))).collect();
        workers.into_iter().map(|worker| worker.join().unwrap()).sum()
    });
    assert!(count > 700, "{count}");
}

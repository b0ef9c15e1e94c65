//! A bracket that is never closed is one finding, where the indentation ends its container: at each place of each suite,
//! in several layouts, alone and with others.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use eval_ls::testing::{Document, Finding, Kind, Span, Text, Workspace, parse};
use serde::Serialize;
use serde_json::Value;
use serde_json::ser::{PrettyFormatter, Serializer};

const LAYOUTS: [&str; 3] = ["  ", "    ", "\t"];

/// How a closing bracket is lost.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Loss {
    /// The bracket.
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

/// A suite without some closing brackets.
struct Broken {
    text: String,
    /// For each lost bracket: between which bytes it is missing, and where its container opens.
    lost: Vec<(Span, usize)>,
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

/// The containers of a printed suite, in the order in which they end.
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

/// The suite without the closing brackets of these containers. The text is printed, so each has its own line.
fn without(text: &str, containers: &[Container], loss: Loss) -> Broken {
    let mut broken = Broken { text: String::new(), lost: Vec::new() };
    let mut at = 0;
    for container in containers {
        let start = text[..container.closer].rfind('\n').map_or(0, |found| found + 1);
        let end = container.closer + text[container.closer..].find('\n').unwrap() + 1;
        let (from, to) = match loss {
            Loss::Bracket => (container.closer, container.closer + 1),
            Loss::Line => (start, end),
        };
        broken.text.push_str(&text[at..from]);
        at = to;
        let before = broken.text.trim_end().len();
        // Up to the next token, and after the comma that is left of the line.
        let after = broken.text.len() + (end - to) + text[end..].find(|c: char| !c.is_whitespace()).unwrap_or(0);
        broken.lost.push((Span::new(before, after), container.opener));
    }
    broken.text.push_str(&text[at..]);
    // Openers move by what is lost before them.
    let removed = |opener: usize| {
        let lost = containers.iter().filter(|container| container.closer < opener);
        lost.map(|container| match loss {
            Loss::Bracket => 1,
            Loss::Line => {
                let start = text[..container.closer].rfind('\n').map_or(0, |found| found + 1);
                text[start..].find('\n').unwrap() + 1
            }
        })
        .sum::<usize>()
    };
    broken.lost.iter_mut().for_each(|(_, opener)| *opener -= removed(*opener));
    broken
}

/// What is wrong with the findings of a broken suite; `None` if each bracket has exactly one at its place.
fn fault(broken: &Broken, path: &Path) -> Option<String> {
    let workspace = Arc::new(Workspace::default());
    let mut found = Document::new(Text::new(&broken.text), Some(path.to_owned())).findings(&workspace);
    found.retain(|finding| finding.lint == "invalid-json");
    let line = |at: usize| broken.text[..at].matches('\n').count() + 1;
    let is_of = |finding: &Finding, (place, opener): &(Span, usize)| {
        let is_there = place.start <= finding.span.start && finding.span.end <= place.end;
        is_there && finding.related.iter().any(|related| related.span.start == *opener)
    };
    let is_right = found.len() == broken.lost.len()
        && broken.lost.iter().all(|lost| found.iter().any(|finding| is_of(finding, lost)));
    let shown = |finding: &Finding| format!("{}: {}", line(finding.span.start), finding.message);
    (!is_right).then(|| {
        let wanted: Vec<_> = broken.lost.iter().map(|(place, opener)| (line(place.start), line(*opener))).collect();
        let found: Vec<_> = found.iter().map(shown).collect();
        format!("{}: lost (line, opened at) {wanted:?}, found {found:?}", path.file_name().unwrap().display())
    })
}

/// The faults of all broken suites that `make` makes of a printed suite, and how many there are.
fn faults(make: impl Fn(&str, usize) -> Vec<Broken> + Sync) -> (Vec<String>, usize) {
    let suites = suites();
    let results = std::thread::scope(|scope| {
        let check = |(path, value): &(PathBuf, Value)| {
            let broken: Vec<_> =
                LAYOUTS.iter().enumerate().flat_map(|(nth, indent)| make(&printed(value, indent), nth)).collect();
            (broken.iter().filter_map(|broken| fault(broken, path)).collect::<Vec<_>>(), broken.len())
        };
        let workers: Vec<_> = suites.iter().map(|suite| scope.spawn(move || check(suite))).collect();
        workers.into_iter().map(|worker| worker.join().unwrap()).collect::<Vec<_>>()
    });
    let count = results.iter().map(|(_, count)| count).sum();
    (results.into_iter().flat_map(|(faults, _)| faults).collect(), count)
}

#[test]
fn an_unclosed_bracket_is_reported_once_where_the_indentation_ends_it() {
    let (faults, count) = faults(|text, nth| {
        // Each place in one of the layouts.
        let places = containers(text).into_iter().skip(nth).step_by(LAYOUTS.len());
        let losses = places.flat_map(|place| [(place, Loss::Bracket), (place, Loss::Line)]);
        losses.map(|(place, loss)| without(text, &[place], loss)).collect()
    });
    assert!(count > 700, "{count}");
    assert_eq!(faults, [] as [String; 0], "{} of {count}", faults.len());
}

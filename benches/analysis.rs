//! The time to read suites of 10 to 20,000 cases, to apply a keystroke, to judge the suite again after it, and to complete.

use std::fmt::Write;
use std::hint::black_box;
use std::sync::Arc;
use std::time::SystemTime;

use criterion::{BatchSize, BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use eval_ls::testing::Suite;
use eval_ls::testing::Transcript;
use eval_ls::testing::parse;
use eval_ls::testing::symbols;
use eval_ls::testing::{Answer, Answers, CompletionContext, Document, Workspace, completions, hover};
use eval_ls::testing::{HintsWanted, VerdictHints, inlay_hints};
use eval_ls::testing::{Span, Text};

const SIZES: [usize; 3] = [10, 1000, 20_000];

/// The sizes for what does not differ from kind to kind.
const FEWER_SIZES: [usize; 2] = [10, 1000];

/// The kinds of suites, described in `benches/server/suites.py`, and a case of each. `@` is the number of the case.
const KINDS: [(&str, &str); 4] = [
    ("hints", include_str!("suites/hints.json")),
    ("clean", include_str!("suites/clean.json")),
    ("distinct", include_str!("suites/distinct.json")),
    ("broken", include_str!("suites/broken.json")),
];

fn suite(kind: &str, cases: usize) -> String {
    let case = |of: &str| {
        let (_, case) = KINDS.iter().find(|(kind, _)| *kind == of).expect("the kind is known");
        case.trim_end().to_owned()
    };
    let (usual, broken) = (case(if kind == "broken" { "distinct" } else { kind }), case("broken"));
    let cases = (0..cases).map(|number| match kind {
        "broken" if number % 50 == 7 => broken.replace('@', &(cases - number).to_string()),
        "broken" => usual.replace('@', &(cases - number).to_string()),
        _ => usual.replace('@', &number.to_string()),
    });
    let cases = cases.collect::<Vec<_>>().join(",\n");
    format!("{{\n  \"name\": \"brief\",\n  \"version\": \"0.2.0\",\n  \"cases\": [\n{cases}\n  ]\n}}\n")
}

/// The place after `sought` in the second half of the text, in bytes.
fn after(text: &str, sought: &str) -> usize {
    let middle = text.len() / 2;
    middle + text[middle..].find(sought).expect("each case has the text") + sought.len()
}

fn read(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("read");
    for size in FEWER_SIZES {
        let text = suite("clean", size);
        group.throughput(Throughput::Bytes(text.len() as u64));
        group.bench_with_input(BenchmarkId::new("parse", size), &text, |bencher, text| bencher.iter(|| parse(text)));
        let parse = parse(&text);
        let root = parse.tree.root(&text).expect("the text has a value");
        group.bench_function(BenchmarkId::new("lower", size), |bencher| bencher.iter(|| Suite::lower(root)));
    }
    group.sample_size(10);
    for (kind, _) in KINDS {
        for size in SIZES {
            let text = suite(kind, size);
            group.throughput(Throughput::Bytes(text.len() as u64));
            group.bench_with_input(BenchmarkId::new(format!("all of {kind}"), size), &text, |bencher, text| {
                let workspace = Arc::new(Workspace::default());
                bencher.iter(|| Document::new(Text::new(text), None).findings(&workspace));
            });
        }
    }
}

/// Adds and removes a character in the outcome of the middle case, and lints after each edit.
fn edit(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("edit");
    for (kind, _) in KINDS {
        for size in SIZES {
            let text = suite(kind, size);
            let at = after(&text, "\"outcome\": \"");
            let workspace = Arc::new(Workspace::default());
            let mut document = Document::new(Text::new(&text), None);
            document.findings(&workspace);
            let keystroke = |document: &mut Document| {
                document.edit(Span::empty(at), "x");
                black_box(document.findings(&workspace));
                document.edit(Span::new(at, at + 1), "");
                black_box(document.findings(&workspace));
            };
            group.bench_function(BenchmarkId::new(kind, size), |bencher| bencher.iter(|| keystroke(&mut document)));
            // A reader still has a snapshot from before the edit.
            group.bench_function(BenchmarkId::new(format!("{kind} beside a snapshot"), size), |bencher| {
                bencher.iter_batched_ref(|| document.clone(), keystroke, BatchSize::LargeInput);
            });
        }
    }
}

/// An answer of about 2 kB that passes some checks of a case and narrowly fails others.
fn transcript(case: String) -> Transcript {
    let mut response = String::from("Status brief\n\nSignals\n- GitHub: 12 pull requests are open.\n");
    for line in 0..30 {
        writeln!(response, "- On day {line} nothing much was said of Post Hog, and sales went as they had gone.")
            .expect("writing to a string never fails");
    }
    response.push_str("Recommendation: ship it.\n");
    Transcript { case, response, ..Transcript::default() }
}

/// Adds and removes a character in a phrase of the middle case, and judges after each edit.
fn verdicts(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("verdict");
    for size in FEWER_SIZES {
        let text = suite("clean", size);
        let at = after(&text, "\"must_say_any\": [\n          \"");
        let ids = (0..size).map(|number| format!("BRIEF-{number}"));
        let live = ids.map(|id| (id.clone(), Arc::new(Answer::live(transcript(id), SystemTime::UNIX_EPOCH)))).collect();
        let answers = Answers::new(Arc::default(), Arc::default(), live);
        let workspace = Arc::new(Workspace::default());
        let mut document = Document::new(Text::new(&text), None);
        group.bench_function(BenchmarkId::new("first", size), |bencher| {
            let fresh = || Document::new(Text::new(&text), None);
            bencher.iter_batched_ref(
                fresh,
                |document| document.verdict_findings(&answers).count(),
                BatchSize::PerIteration,
            );
        });
        document.findings(&workspace);
        document.verdicts(&answers).for_each(drop);
        // The results that an editor waits for: findings, verdicts, and the inlay hints of one screen.
        let screen = Span::new(at - 2000, at + 2000);
        let wanted = HintsWanted { verdicts: VerdictHints::All, challenges: true };
        let ask = |document: &Document| {
            black_box(document.findings(&workspace));
            black_box(document.verdict_findings(&answers).take(1000).collect::<Vec<_>>());
            black_box(inlay_hints(document, &answers, screen, wanted));
        };
        group.bench_function(BenchmarkId::new("keystroke", size), |bencher| {
            let mut extra = false;
            bencher.iter(|| {
                let span = Span::new(at, at + usize::from(extra));
                document.edit(span, if extra { "" } else { "x" });
                extra = !extra;
                ask(&document);
            });
        });
    }
}

/// The requests of an editor while a person reads: at the middle case, and for the whole suite.
fn ask(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("ask");
    for size in FEWER_SIZES {
        let text = suite("clean", size);
        let document = Document::new(Text::new(&text), None);
        let (workspace, answers) = (Arc::new(Workspace::default()), Answers::default());
        let (pattern, group_name) = (after(&text, "\"^Signals"), after(&text, "\"formatting"));
        for (name, at) in [("hover over a pattern", pattern), ("hover over a group", group_name)] {
            group.bench_function(BenchmarkId::new(name, size), |bencher| {
                bencher.iter(|| {
                    hover(&document, &workspace, &answers, at, SystemTime::UNIX_EPOCH, true)
                        .expect("the key has a hover")
                });
            });
        }
        group.bench_function(BenchmarkId::new("outline", size), |bencher| bencher.iter(|| symbols(&document)));
    }
}

/// Completes at several places in the middle case, and outside of the cases.
fn complete(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("complete");
    let workspace = Workspace::default();
    let answers = Answers::default();
    let context = CompletionContext { workspace: &workspace, answers: &answers, trigger: None };
    for size in FEWER_SIZES {
        let text = suite("clean", size);
        let mut check = |place: &str, text: &str, at: usize| {
            let document = Document::new(Text::new(text), None);
            assert!(!completions(&document, at, &context).items.is_empty(), "{place}");
            group.bench_function(BenchmarkId::new(place, size), |bencher| {
                bencher.iter(|| black_box(completions(&document, at, &context)));
            });
        };
        check("value", &text, after(&text, "\"outcome\": \""));
        check("tool", &text, after(&text, "\"tool_calls_any\": [\n          \""));
        check("key", &text, after(&text, "\"expected\": {"));
        check("id", &text, after(&text, "\"id\": \""));
        check("suite", &text, 1);
        check("after the cases", &text, text.len() - 2);
        let torn = after(&text, "\"outcome\": \"tool_success\",");
        let broken = format!("{} \"{}", &text[..torn], &text[torn..]);
        check("broken", &broken, torn + 2);
        // A suite on one line, as a program writes it.
        let minified = serde_json::from_str::<serde_json::Value>(&text).expect("the suite is JSON").to_string();
        check("minified", &minified, after(&minified, "\"outcome\":\""));
    }
}

criterion_group!(benches, read, edit, verdicts, ask, complete);
criterion_main!(benches);

//! Random inputs for the parsers, the fixes and the patterns.
//!
//! Each check of [`checks`] gets the files of `corpus/` and the examples, changed at random: a fixed number of inputs, the same at
//! each run. With `EVAL_LS_FUZZ_SECONDS`, it runs for that long and begins elsewhere each time. An input that fails a check is
//! written to `target/fuzz`; move it to `corpus/`.

mod checks;

use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Instant;

use checks::{CHECKS, Check};

use crate::support::Numbers;

/// Executions of each check without `EVAL_LS_FUZZ_SECONDS`.
const EXECUTIONS: usize = 150;
/// Longer inputs are cut: short ones are checked more often.
const LONGEST: usize = 6_000;

/// What is inserted into texts.
pub(crate) const WORDS: [&str; 40] = [
    "{",
    "}",
    "[",
    "]",
    ":",
    ",",
    "\"",
    "\\",
    "\n",
    "\r\n",
    "\t",
    " ",
    "\u{feff}",
    "\0",
    "é",
    "😀",
    "0",
    "-1e9",
    "null",
    "true",
    "//",
    "\\u00e9",
    "\\ud83d",
    "\"id\": \"A\"",
    "\"cases\": [",
    "\"expected\": {",
    "\"must_match_regex\": [\"(a+)+$\"]",
    "(?<=a{1,3})",
    "(?:",
    "{,3}",
    "\\Q",
    "[[:alpha:]",
    "*",
    "|",
    "Content-Length: 5\r\n\r\n",
    "[targets.a]\n",
    "kind = \"command\"\n",
    "\"\"\"",
    "= [",
    "#",
];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The files from which the inputs of a check are made.
fn seeds(name: &str) -> Vec<Vec<u8>> {
    let examples = match name {
        "config" => vec!["examples/eval-ls.toml", "src/config/template.toml"],
        "transcript" => vec!["examples/transcripts/tools-eval-set.v0.1"],
        "pattern" | "frames" => vec![],
        _ => vec![
            "examples/tools-eval-set.v0.1.json",
            "examples/brief-eval-set.v0.3.json",
            "examples/faulty/faulty-eval-set.v0.2.json",
        ],
    };
    let mut files: Vec<PathBuf> = Vec::new();
    for path in examples.into_iter().map(|path| root().join(path)).chain([root().join("tests/fuzz/corpus").join(name)])
    {
        match fs::read_dir(&path) {
            Ok(entries) => files.extend(entries.map(|entry| entry.unwrap().path())),
            Err(_) => files.push(path),
        }
    }
    files.sort();
    files.iter().map(|path| fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))).collect()
}

/// A part of a seed with a few changes.
fn input(seeds: &[Vec<u8>], numbers: &mut Numbers) -> Vec<u8> {
    let mut input = seeds[numbers.below(seeds.len())].clone();
    if input.len() > LONGEST {
        let start = numbers.below(input.len() - LONGEST);
        input = input[start..start + LONGEST].to_vec();
    }
    for _ in 0..=numbers.below(6) {
        let start = numbers.below(input.len() + 1);
        let end = (start + [0, 1, 1, 2, 8, 60][numbers.below(6)]).min(input.len());
        let with = match numbers.below(5) {
            0 => Vec::new(),
            1 => vec![numbers.below(256) as u8],
            2 => {
                let other = &seeds[numbers.below(seeds.len())];
                let from = numbers.below(other.len() + 1);
                other[from..(from + numbers.below(60)).min(other.len())].to_vec()
            }
            _ => WORDS[numbers.below(WORDS.len())].into(),
        };
        input.splice(start..end, with);
    }
    input
}

/// Appends edits, as the check `edits` reads them.
fn with_edits(mut input: Vec<u8>, numbers: &mut Numbers) -> Vec<u8> {
    input.retain(|byte| *byte != 0);
    for _ in 0..4 {
        let place = numbers.below(1 << 16);
        input.push(0);
        input.extend([1 + (place >> 9) as u8, 1 + (place % 255) as u8, 1 + numbers.below(9) as u8]);
        input.extend(WORDS[numbers.below(WORDS.len())].bytes().filter(|byte| *byte != 0));
    }
    input
}

#[allow(clippy::print_stdout, reason = "people who fuzz by hand want to know the number of executions")]
fn run(name: &str, check: Check) {
    let seeds = seeds(name);
    let (mut numbers, end) = Numbers::of_environment();
    let mut executions = 0;
    let mut execute = |input: &[u8]| {
        executions += 1;
        if catch_unwind(AssertUnwindSafe(|| check(input))).is_err() {
            let path = root().join(format!("target/fuzz/{name}-{executions}"));
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(&path, input).unwrap();
            panic!("the check `{name}` fails for the input in {}", path.display());
        }
    };
    seeds.iter().for_each(|seed| execute(seed));
    let mut rounds = 0..;
    while end.map_or_else(|| rounds.next() != Some(EXECUTIONS), |end| Instant::now() < end) {
        let input = input(&seeds, &mut numbers);
        execute(&if name == "edits" { with_edits(input, &mut numbers) } else { input });
    }
    println!("{name}: {executions} executions");
}

#[test]
fn every_input_passes_its_check() {
    thread::scope(|scope| CHECKS.iter().for_each(|(name, check)| drop(scope.spawn(|| run(name, *check)))));
}

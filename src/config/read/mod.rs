//! Reads `eval-ls.toml` into a [`Config`]. The readable parts are used, and each error is reported at its place.

mod allow;
mod challenge;
mod preconditions;
mod repeat;
mod rewrites;
mod section;
mod steps;
pub(super) mod targets;
mod ui_hints;

use std::collections::BTreeMap;
use std::num::NonZeroUsize;

use toml::de::{DeTable, DeValue};

use crate::diagnostic::quoted;
use crate::text::Span;

use self::section::{Errors, Section, not_one_of, unknown_name};
use super::required_version::RequiredVersion;
use super::{Config, ConfigError, FileSet, Flaky, Level, LintLevel, MOST_JOBS, Pattern, Reading, Source, Stale};
use section::{DUPLICATE_KEY, line_around, readable, syntax_error};

const SECTIONS: [&str; 13] = [
    REQUIRED_VERSION,
    "files",
    "run",
    "scoring",
    "targets",
    "preconditions",
    "ui_hints",
    "sources",
    "tools",
    "lints",
    "allow",
    "policy",
    "challenge",
];

const REQUIRED_VERSION: &str = "required_version";

/// The sections that are lists of tables.
const LISTS: [&str; 4] = ["preconditions", "ui_hints", "allow", "policy"];

const RUN_KEYS: [&str; 10] =
    ["target", "jobs", "timeout", "retry_errors", "results", "transcripts", "keep", "labels", "stale", "flaky"];

/// How often a case may be retried. A target that needs more is broken.
const MOST_RETRIES: usize = 10;

impl Config {
    /// Reads the text of an `eval-ls.toml`. `known_lints` are the names that `[lints]` may contain.
    ///
    /// Every text gives a configuration: faulty parts are reported and then ignored. The errors are in the order of the
    /// file. After a syntax error the parser guesses, so from there on only syntax errors are reported, and missing
    /// keys are not reported at all. If this program has the wrong version, that is the only other error: what the right
    /// version knows is not known here.
    pub(crate) fn parse(text: &str, known_lints: &[&str]) -> (Config, Vec<ConfigError>) {
        let (text, half_written) = readable(text);
        let (tree, found) = DeTable::parse_recoverable(&text);
        let mut errors = Errors::default();
        let config = read(tree.get_ref(), known_lints, &mut errors);

        if let Some(error) = errors.wrong_version.take() {
            (errors.present, errors.absent) = (vec![error], Vec::new());
        }
        // The parser does not need to guess after a duplicate key.
        let guessed = found.iter().filter(|error| error.message() != DUPLICATE_KEY);
        if let Some(first) = guessed.map(|error| syntax_error(&text, error).span.start).min() {
            let trusted = line_around(&text, first).start;
            errors.present.retain(|error| error.span.end < trusted);
        }
        let is_whole = half_written.is_empty() && found.is_empty();
        let absent = if is_whole { errors.absent } else { Vec::new() };
        let found = found.iter().map(|error| syntax_error(&text, error)).collect();
        let mut all = [half_written, found, errors.present, absent].concat();
        all.sort_by_key(|error| error.span);
        all.dedup();
        (config, all)
    }
}

fn read(table: &DeTable<'_>, known_lints: &[&str], errors: &mut Errors) -> Config {
    let mut config = Config::default();
    let mut root = Section::new(table, Span::default(), "this file", &SECTIONS, errors);
    required_version(&mut root);
    if let Some(section) = root.section("files", &["include", "exclude", "force_exclude"]) {
        config.files = files(section);
    }
    if let Some(section) = root.section("run", &RUN_KEYS) {
        run(section, &mut config);
    }
    if let Some(mut section) = root.section("scoring", &["prompt_counts", "reading"]) {
        config.scoring.prompt_counts = section.boolean("prompt_counts");
        set(&mut config.scoring.reading, section.one_of("reading", &Reading::WORDS));
    }
    config.preconditions = preconditions::read(&mut root);
    targets::read(&mut root, &mut config);
    config.ui_hints = ui_hints::read(&mut root);
    config.sources = sources(&mut root);
    config.lints = lints(&mut root, known_lints);
    if let Some(mut section) = root.section("tools", &["known"]) {
        config.known_tools = section.texts("known").into_iter().collect();
    }
    config.allowed = allow::read(&mut root, known_lints);
    config.policies = repeat::policies(&mut root);
    config.challenge = challenge::read(&mut root);
    config
}

/// Compares the version of this program with the one that the workspace needs.
fn required_version(root: &mut Section<'_, '_, '_>) {
    let Some(required) = root.parsed::<RequiredVersion>(REQUIRED_VERSION) else { return };
    let Some(misfit) = required.misfit(env!("CARGO_PKG_VERSION")) else { return };
    let Some((text, span)) = root.string(REQUIRED_VERSION) else { return };
    let text = text.trim();
    let message = format!("this workspace needs eval-ls {text}, and this is eval-ls {}", env!("CARGO_PKG_VERSION"));
    root.errors.wrong_version = Some(ConfigError::new(span, message).help(misfit.to_string()));
}

fn files(mut section: Section<'_, '_, '_>) -> FileSet {
    let include = patterns(&mut section, "include");
    let exclude = patterns(&mut section, "exclude").unwrap_or_else(FileSet::default_exclude);
    let force_exclude = section.boolean("force_exclude").unwrap_or_default();
    FileSet::new(include, exclude).forced(force_exclude)
}

fn patterns(section: &mut Section<'_, '_, '_>, key: &str) -> Option<Vec<Pattern>> {
    let mut patterns = Vec::new();
    for (glob, span) in section.strings(key)? {
        if !section.errors.admits_pattern(span) {
            break;
        }
        match Pattern::new(glob) {
            Ok(pattern) => patterns.push(pattern),
            Err(error) => section.errors.report(ConfigError::new(span, format!("{}: {error}", quoted(glob)))),
        }
    }
    Some(patterns)
}

fn run(mut section: Section<'_, '_, '_>, config: &mut Config) {
    let run = &mut config.run;
    set(&mut run.target, section.text("target"));
    set(&mut run.jobs, section.within("jobs", 1, MOST_JOBS).and_then(NonZeroUsize::new));
    set(&mut run.timeout, section.duration("timeout"));
    set(&mut run.retry_errors, section.within("retry_errors", 0, MOST_RETRIES));
    set(&mut run.results, folder(&mut section, "results"));
    run.results_span = section.get("results").map(|value| value.span().into());
    set(&mut run.transcripts, folder(&mut section, "transcripts"));
    set(&mut run.keep, section.parsed("keep"));
    set(&mut run.stale, section.one_of("stale", &Stale::WORDS));
    set(&mut run.flaky, section.one_of("flaky", &Flaky::WORDS));
    run.labels = section.table_of_texts("labels");
}

/// A folder below another one. An absolute path may lead out of the workspace.
fn folder(section: &mut Section<'_, '_, '_>, key: &str) -> Option<String> {
    let path = section.text(key)?;
    let span = section.get(key)?.span().into();
    if std::path::Path::new(&path).has_root() {
        let message = format!("expected a relative path for `{key}`, found an absolute one");
        section.errors.report(ConfigError::new(span, message).help(format!("use a name such as `{key}`")));
        return None;
    }
    Some(path)
}

fn sources(root: &mut Section<'_, '_, '_>) -> BTreeMap<String, Source> {
    let Some(value) = root.get("sources") else { return BTreeMap::new() };
    let Some(table) = root.errors.table("sources", value) else { return BTreeMap::new() };
    let mut section = Section::of_any_keys(table, value.span().into(), root.errors);
    let mut sources = BTreeMap::new();
    for (name, list) in table {
        let errors_before = section.errors.count();
        let patterns = section.texts(name.get_ref());
        if section.errors.count() > errors_before {
            continue;
        }
        if patterns.is_empty() {
            let message = format!("the source {} has no phrase", quoted(name.get_ref()));
            section.errors.report(ConfigError::new(list.span().into(), message).help("give at least one"));
            continue;
        }
        sources.insert(name.get_ref().to_string(), Source { span: name.span().into(), patterns });
    }
    sources
}

fn lints(root: &mut Section<'_, '_, '_>, known: &[&str]) -> BTreeMap<String, LintLevel> {
    let Some(value) = root.get("lints") else { return BTreeMap::new() };
    let Some(table) = root.errors.table("lints", value) else { return BTreeMap::new() };
    let mut lints = BTreeMap::new();
    for (key, value) in table {
        let name: &str = key.get_ref();
        if !known.contains(&name) {
            let error = unknown_name(key, format!("unknown lint {}", quoted(name)), known, table);
            root.errors.report(
                error.unwrap_or_else(|error| {
                    error.help("`eval-ls explain` lists all lints; a newer eval-ls may know it")
                }),
            );
            continue;
        }
        let DeValue::String(word) = value.get_ref() else {
            root.errors.expected::<()>("a level in quotes", name, value);
            continue;
        };
        match Level::from_name(word) {
            Some(level) => {
                lints.insert(name.to_owned(), LintLevel { span: key.span().into(), level });
            }
            None => {
                let words = Level::ALL.iter().map(|level| level.as_str());
                root.errors.report(not_one_of(name, word, value.span().into(), words));
            }
        }
    }
    lints
}

fn set<T>(field: &mut T, read: Option<T>) {
    if let Some(read) = read {
        *field = read;
    }
}

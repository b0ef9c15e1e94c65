//! The status page (`eval-ls.showStatus`): the server's state, and why each document is or is not a suite.

use std::path::{Path, PathBuf};

use crate::analysis::symbols::MOST_WITH_KEYS;
use crate::config::{CONFIG_FILE, Config, MAX_CONFIG_BYTES, TargetKind};
use crate::lsp::session::snapshot::{DocumentStatus, StatusReport};
use crate::lsp::session::suites;
use crate::lsp::session::transcripts::{MAX_BYTES, MAX_MEMORY, Memory};
use crate::lsp::transport::QUICK_PLACES;
use crate::wording::{Line, Markup};

/// The report as Markdown.
pub(crate) fn page(report: &StatusReport) -> String {
    let mut page = Markup::default();
    page.paragraph(Line::new(concat!("# eval-ls ", env!("CARGO_PKG_VERSION"))));
    let trust = if report.is_trusted {
        "The editor trusts the workspace; each target asks for approval before its first run"
    } else {
        "The editor does not trust the workspace; runs are disabled"
    };
    page.item(0, Line::new(trust));
    page.item(0, Line::new(format!("{} cases running or queued", report.running)));
    page.item(
        0,
        Line::new(format!(
            "Limits: {} KiB for {CONFIG_FILE}; {} MiB for a transcript; {} MiB of memory for the answers of all open suites, of \
             which {} are in use; {QUICK_PLACES} large results at a time",
            MAX_CONFIG_BYTES >> 10,
            MAX_BYTES >> 20,
            MAX_MEMORY >> 20,
            mebibytes(report.memory),
        )),
    );
    for folder in &report.folders {
        page.item(0, Line::new("Workspace folder: ").code(&folder.display().to_string()));
    }
    for path in too_large(report) {
        let text = "is too large to be read while it is not open, so no list has its cases";
        page.item(0, Line::new("The suite ").code(&path.display().to_string()).say(format!(" {text}")));
    }
    for document in &report.documents {
        reported(&mut page, document);
    }
    if report.documents.is_empty() {
        page.paragraph(Line::new("No document is open."));
    }
    page.to_markdown() + "\n"
}

/// The suites that are not open, and too large to be read.
fn too_large(report: &StatusReport) -> Vec<PathBuf> {
    let is_open = |path: &Path| {
        let mut open = report.documents.iter().filter_map(|document| document.suite.as_ref()?.document.path());
        open.any(|open| open == path)
    };
    let closed = suites::below(&report.folders).into_iter().filter(|path| !is_open(path));
    closed.filter(|path| suites::is_too_large(path)).collect()
}

/// Whether the folder of the transcripts exists outside of the workspace.
fn folder_leads_out(suite: &Path, config: &Config) -> bool {
    let store = suites::store(suite, config);
    store.folder().exists() && !store.is_inside()
}

fn reported(page: &mut Markup, document: &DocumentStatus) {
    page.paragraph(Line::new("## ").text(document.uri.as_str()));
    page.item(0, Line::default().message(&document.why));
    match &document.config_path {
        Some(path) => {
            page.item(0, Line::new("Configuration: ").code(&path.display().to_string()));
            if document.error_count > 0 {
                let count = document.error_count;
                let errors = if count == 1 { "1 error".to_owned() } else { format!("{count} errors") };
                page.item(1, Line::new(format!("{errors} in the configuration; runs are disabled until fixed")));
            }
        }
        None => page.item(0, Line::new(format!("No {CONFIG_FILE} in its folder or above: the defaults apply"))),
    }
    let Some(suite) = &document.suite else { return };
    for (name, target) in &document.config.targets {
        let kind = match &target.kind {
            TargetKind::Replay => "replays transcripts",
            TargetKind::Command(_) => "runs a program",
            TargetKind::Browser(_) => "drives a browser",
        };
        let chosen = if *name == document.target { " (selected)" } else { "" };
        page.item(0, Line::new("Target ").code(name).say(format!(" {kind}{chosen}")));
    }
    if !document.config.targets.contains_key(&document.target) {
        page.item(0, Line::new("The selected target ").code(&document.target).say(" does not exist"));
    }
    let cases = &suite.document.suite().cases;
    let ids = || cases.iter().filter_map(|placed| placed.case.id.as_ref());
    let kept = ids().filter(|id| suite.answers.kept(&id.value).is_some()).count();
    let live = ids().filter(|id| suite.answers.live(&id.value).is_some()).count();
    let answered = format!("{} cases; {kept} have a transcript on disk, {live} an answer in memory", cases.len());
    page.item(0, Line::new(answered));
    if cases.len() > MOST_WITH_KEYS {
        page.item(
            1,
            Line::new(format!("The outline has no keys of `expected`: the suite has more than {MOST_WITH_KEYS} cases")),
        );
    }
    if let Some(path) = suite.document.path() {
        let folder = suites::store(path, &document.config).folder().display().to_string();
        page.item(0, Line::new("Transcripts: ").code(&folder));
        if folder_leads_out(path, &document.config) {
            page.item(1, Line::new("The folder is outside of the workspace, so the editor does not read it"));
        }
        page.item(1, Line::new(memory(document.memory)));
    }
}

/// `Memory: 1.2 MiB for transcripts, 3.0 MiB for kept runs; 1 file is left out, because it is too large`
fn memory(memory: Memory) -> String {
    let Memory { transcripts, runs, baselines, own, live, left_out } = memory;
    let parts = [
        (transcripts, "transcripts"),
        (runs, "kept runs"),
        (baselines, "baselines"),
        (own, "answers of [challenge]"),
        (live, "answers of this session"),
    ];
    let used = parts.into_iter().filter(|(bytes, name)| *bytes > 0 || *name == "transcripts");
    let used: Vec<_> = used.map(|(bytes, name)| format!("{} for {name}", mebibytes(bytes))).collect();
    let left_out = match left_out {
        0 => String::new(),
        1 => "; 1 file or answer is left out, because it is too large".to_owned(),
        count => format!("; {count} files or answers are left out, because they are too large"),
    };
    format!("Memory: {}{left_out}", used.join(", "))
}

fn mebibytes(bytes: u64) -> String {
    format!("{:.1} MiB", bytes as f64 / f64::from(1 << 20))
}

//! What the server knows (`eval-ls.showStatus`), for whoever asks why something is as it is.

use std::path::PathBuf;
use std::sync::Arc;

use tower_lsp_server::ls_types::Uri;

use crate::config::{CONFIG_FILE, Config, TargetKind};
use crate::lsp::session::snapshot::Snapshot;
use crate::transcript::Store;
use crate::wording::{Line, Markup};

/// What is known at one moment.
pub(in crate::lsp) struct Report {
    pub(in crate::lsp) is_trusted: bool,
    pub(in crate::lsp) folders: Vec<PathBuf>,
    pub(in crate::lsp) documents: Vec<Reported>,
    /// How many cases run or wait.
    pub(in crate::lsp) running: usize,
}

/// An open document.
pub(in crate::lsp) struct Reported {
    pub(in crate::lsp) uri: Uri,
    /// The `eval-ls.toml` that holds for it, where there is one, and how many faults it has.
    pub(in crate::lsp) config_path: Option<PathBuf>,
    pub(in crate::lsp) faults: usize,
    pub(in crate::lsp) config: Arc<Config>,
    /// The target that runs ask.
    pub(in crate::lsp) target: String,
    /// Why it is a suite, or none.
    pub(in crate::lsp) why: String,
    pub(in crate::lsp) suite: Option<Snapshot>,
}

/// The report as Markdown.
pub(in crate::lsp) fn page(report: &Report) -> String {
    let mut page = Markup::default();
    page.paragraph(Line::new(concat!("# eval-ls ", env!("CARGO_PKG_VERSION"))));
    let trust = if report.is_trusted {
        "The editor trusts the workspace: targets are asked once a person has allowed them"
    } else {
        "The editor does not trust the workspace: nothing is run"
    };
    page.item(0, Line::new(trust));
    page.item(0, Line::new(format!("{} cases run or wait for their turn", report.running)));
    for folder in &report.folders {
        page.item(0, Line::new("Folder of the workspace: ").code(&folder.display().to_string()));
    }
    for document in &report.documents {
        reported(&mut page, document);
    }
    if report.documents.is_empty() {
        page.paragraph(Line::new("No document is open."));
    }
    page.to_markdown() + "\n"
}

fn reported(page: &mut Markup, document: &Reported) {
    page.paragraph(Line::new("## ").text(document.uri.as_str()));
    page.item(0, Line::default().message(&document.why));
    match &document.config_path {
        Some(path) => {
            page.item(0, Line::new("Configuration: ").code(&path.display().to_string()));
            if document.faults > 0 {
                let faults = format!("It has {} faults, so that nothing is run: they are shown in it", document.faults);
                page.item(1, Line::new(faults));
            }
        }
        None => page.item(0, Line::new(format!("There is no {CONFIG_FILE} in its folder or above: the defaults hold"))),
    }
    let Some(suite) = &document.suite else { return };
    for (name, target) in &document.config.targets {
        let kind = match &target.kind {
            TargetKind::Replay => "replays transcripts",
            TargetKind::Command(_) => "runs a program",
            TargetKind::Browser(_) => "drives a browser",
        };
        let chosen = if *name == document.target { ", and is the one that runs ask" } else { "" };
        page.item(0, Line::new("Target ").code(name).say(format!(" {kind}{chosen}")));
    }
    if !document.config.targets.contains_key(&document.target) {
        page.item(0, Line::new("Runs ask the target ").code(&document.target).say(", which there is not"));
    }
    let cases = &suite.document.suite().cases;
    let ids = || cases.iter().filter_map(|placed| placed.case.id.as_ref());
    let kept = ids().filter(|id| suite.answers.kept(&id.value).is_some()).count();
    let live = ids().filter(|id| suite.answers.live(&id.value).is_some()).count();
    let answered = format!("{} cases; {kept} have a transcript on disk, {live} an answer in memory", cases.len());
    page.item(0, Line::new(answered));
    if let Some(path) = suite.document.path() {
        let folder = Store::new(path, &document.config).folder().display().to_string();
        page.item(0, Line::new("Transcripts: ").code(&folder));
    }
}

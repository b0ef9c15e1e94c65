//! Commands (`workspace/executeCommand`) of lenses and code actions.

use std::sync::Arc;
use std::time::SystemTime;

use ls_types::{ExecuteCommandParams, LSPAny, Range, Uri};
use serde_json::json;
use tower_lsp_server::jsonrpc::{Error, Result};

use crate::analysis::{Status, lint};
use crate::config::CONFIG_FILE;
use crate::diagnostic::quoted;
use crate::lsp::client::settings::log;
use crate::lsp::convert::to_lsp::without_links;
use crate::lsp::convert::uris;
use crate::lsp::features::reports::{self, transcript_page};
use crate::lsp::features::texts::{self, AnswerFault, ToAccept};
use crate::lsp::protocol::{
    ACCEPT, Argument, CHALLENGE_SUITE, CHOOSE_TARGET, EXPLAIN_LINT, IMPORT, OPEN_CONFIGURATION, OPEN_REPORT,
    OPEN_RESULT, RUN_CASE, RUN_FAILED, RUN_SUITE, Remedy, ResultParams, RunParams, RunSuite, SHOW_STATUS, STOP,
    StopParams, TextParams, TextResult, TranscriptPage, TranscriptPageParams, UNDO_ACCEPT,
};
use crate::lsp::runs::imports;
use crate::lsp::session::choices::{Choices, ChosenTarget};
use crate::lsp::session::open_document::Snapshot;

use super::Server;
use super::runs::{self, failed, failed_until, separately};
use super::workspace::uncancelled;

impl Server {
    /// Executes a command.
    pub(crate) async fn execute(&self, params: ExecuteCommandParams) -> Result<Option<LSPAny>> {
        let argument = match params.arguments.into_iter().next() {
            None | Some(LSPAny::Null) => Argument::default(),
            Some(argument) => {
                serde_json::from_value(argument).map_err(|error| Error::invalid_params(error.to_string()))?
            }
        };
        match params.command.as_str() {
            RUN_CASE => {
                let case = case_of(&argument)?;
                self.run_cases(argument, Some(vec![case])).await
            }
            RUN_SUITE => self.run_cases(argument, None).await,
            RUN_FAILED => {
                let suite = self.judged(&argument).await?;
                let failed_ids = uncancelled(move || ids_that_failed(&suite)).await?;
                if failed_ids.is_empty() {
                    return Err(failed("no case of this suite has failed"));
                }
                self.run_cases(argument, Some(failed_ids)).await
            }
            STOP => {
                let params = StopParams { run: None, uri: argument.uri, case: argument.case };
                self.stop(params).await.map(|result| Some(json!(result)))
            }
            OPEN_RESULT => self.open_result(argument).await,
            CHOOSE_TARGET => self.choose_target(argument).await,
            ACCEPT => self.accept(argument).await,
            UNDO_ACCEPT => self.undo_accept().await,
            CHALLENGE_SUITE => self.challenge_suite(argument).await,
            EXPLAIN_LINT => self.explain_lint(argument).await,
            OPEN_CONFIGURATION => self.open_configuration(argument),
            OPEN_REPORT => self.open_report(argument).await,
            SHOW_STATUS => self.show_status().await,
            IMPORT => self.import(argument).await,
            other => Err(Error::invalid_params(format!("unknown command {}", quoted(other)))),
        }
    }

    /// The transcript that a case was judged on.
    pub(crate) async fn transcript(&self, params: TextParams) -> Result<Option<TextResult>> {
        let Some(suite) = self.judged_suite(&params.uri).await? else { return Ok(None) };
        uncancelled(move || texts::transcript(&suite, &params)).await
    }

    /// The last answer of a case with its verdict as an HTML page.
    pub(crate) async fn transcript_page(&self, params: TranscriptPageParams) -> Result<Option<TranscriptPage>> {
        let Some(suite) = self.judged_suite(&params.uri).await? else { return Ok(None) };
        uncancelled(move || transcript_page(&suite, &params.case, SystemTime::now())).await
    }

    /// The result of a case, or of all.
    pub(crate) async fn result(&self, params: ResultParams) -> Result<Option<TextResult>> {
        let Some(suite) = self.judged_suite(&params.uri).await? else { return Ok(None) };
        uncancelled(move || texts::result(&suite, &params)).await
    }

    async fn run_cases(&self, argument: Argument, cases: Option<Vec<String>>) -> Result<Option<LSPAny>> {
        let suites = vec![RunSuite { uri: self.uri_of(&argument)?, cases }];
        let params = RunParams { suites, target: argument.target, ..RunParams::default() };
        self.run(params).await.map(|result| Some(json!(result)))
    }

    async fn open_result(&self, argument: Argument) -> Result<Option<LSPAny>> {
        let suite = self.judged(&argument).await?;
        let about = argument.case.clone().unwrap_or_else(|| "results".to_owned());
        let params = ResultParams { uri: suite.uri.clone(), case: argument.case };
        self.show_text(Some(suite.uri.clone()), about, ".md", move || {
            Ok(texts::result(&suite, &params).map(|page| page.text))
        })
        .await
    }

    /// Shows a text about a case of a suite as a page.
    async fn show_text(
        &self,
        suite: Option<Uri>,
        about: String,
        extension: &'static str,
        text: impl FnOnce() -> Result<Option<String>> + Send + 'static,
    ) -> Result<Option<LSPAny>> {
        let path = uncancelled(move || {
            let text = text()?.ok_or_else(|| failed("no answer yet; run the case first"))?;
            let suite = suite.as_ref().map_or("", |uri| uri.as_str());
            runs::write(suite, &about, extension, &text)
        });
        self.show(path.await??, None, None);
        Ok(None)
    }

    async fn choose_target(&self, argument: Argument) -> Result<Option<LSPAny>> {
        let uri = self.uri_of(&argument)?;
        let path = match uris::to_path(&uri).filter(|path| path.ends_with(CONFIG_FILE)) {
            Some(path) => {
                // It may have been written just now.
                self.reload().await;
                path
            }
            None => {
                let suite = self.suite(&uri).await?.ok_or_else(|| failed("this document is not an eval suite"))?;
                suite.document.path().map(ToOwned::to_owned).unwrap_or_default()
            }
        };
        let configuration = self.shared.change(|state| state.configuration_of(&path));
        let known: Vec<String> = configuration.config.targets.keys().cloned().collect();
        if let Some(target) = argument.target {
            if !known.contains(&target) {
                return Err(failed(format!("target {} does not exist", quoted(&target))));
            }
            let chosen = self.shared.change(|state| state.choose_target(&configuration, target));
            remember(chosen);
            return Ok(None);
        }
        let current = self.shared.read(|state| state.target(&configuration));
        let client = self.client.clone();
        tokio::spawn(async move {
            let message = without_links(&format!("Select the target for runs (now {})", quoted(&current)));
            let titles: Vec<&str> = known.iter().map(String::as_str).collect();
            let chosen = client.ask(message, &titles, texts::CANCEL).await;
            if let Some(target) = chosen.ok().flatten().filter(|title| known.contains(title)) {
                let chosen = client.shared().change(|state| state.choose_target(&configuration, target));
                remember(chosen);
            }
        });
        Ok(None)
    }

    /// Accepts the answer in memory of a case as its transcript, or all of a suite that are not transcripts yet. Asks before an
    /// answer that does not pass replaces one that does, and before all answers replace anything.
    async fn accept(&self, argument: Argument) -> Result<Option<LSPAny>> {
        let suite = self.judged(&argument).await?;
        let found = uncancelled(move || ToAccept::of(&suite, argument.case)).await?.map_err(refused)?;
        if let Some((question, choices)) = found.question() {
            let client = self.client.clone();
            // The client that asks itself compares, too.
            let choices = if self.shared.read(|state| state.settings().asks) { choices } else { &choices[..1] };
            let asked = async move { client.ask(without_links(&question), choices, texts::CANCEL).await };
            match separately(asked).await?.as_deref() {
                Some(texts::COMPARE) => return Ok(Some(json!({ "compare": true }))),
                Some(chosen) if choices.contains(&chosen) => {}
                _ => return Ok(None),
            }
        }
        let (replaced, message) = uncancelled(move || found.accept()).await?.map_err(refused)?;
        let result = json!({ "message": message, "undo": !replaced.is_empty() });
        self.shared.change(|state| state.replaced = replaced);
        self.reload().await;
        Ok(Some(result))
    }

    /// Restores the transcripts that the last accept has replaced.
    async fn undo_accept(&self) -> Result<Option<LSPAny>> {
        let replaced = self.shared.change(|state| std::mem::take(&mut state.replaced));
        uncancelled(move || texts::restore(&replaced)).await?.map_err(refused)?;
        self.reload().await;
        Ok(None)
    }

    /// Shows the challenges of a suite as a page. From then on, a lens of the suite shows a summary.
    async fn challenge_suite(&self, argument: Argument) -> Result<Option<LSPAny>> {
        let suite = self.judged(&argument).await?;
        let (uri, shared) = (suite.uri.clone(), Arc::clone(&self.shared));
        self.show_text(Some(uri.clone()), "challenges".to_owned(), ".md", move || {
            let page = texts::challenges(&suite).text;
            shared.change(|state| state.note_challenged(&uri));
            Ok(Some(page))
        })
        .await
    }

    /// Shows the page of a lint.
    async fn explain_lint(&self, argument: Argument) -> Result<Option<LSPAny>> {
        let name = argument.lint.ok_or_else(|| failed("specify `lint`"))?;
        let lint = lint(&name).ok_or_else(|| failed(format!("lint {} does not exist", quoted(&name))))?;
        self.show_text(None, name, ".md", || Ok(Some(lint.markdown()))).await
    }

    /// Shows a place in an `eval-ls.toml`.
    fn open_configuration(&self, argument: Argument) -> Result<Option<LSPAny>> {
        let uri = argument.uri.ok_or_else(|| failed("specify `uri`, that of an eval-ls.toml"))?;
        let path = uris::to_path(&uri).filter(|path| path.ends_with(CONFIG_FILE));
        let path = path.ok_or_else(|| failed(format!("{} is not an eval-ls.toml", quoted(uri.as_str()))))?;
        self.show(path, None, argument.range);
        Ok(None)
    }

    async fn show_status(&self) -> Result<Option<LSPAny>> {
        let report = self.shared.change(|state| state.report());
        let text = uncancelled(move || reports::status_page(&report)).await?;
        let page = text.clone();
        self.show_text(None, "status".to_owned(), ".md", || Ok(Some(page))).await?;
        Ok(Some(json!({ "text": text })))
    }

    /// Makes a suite of a log. Asks whether personal data is replaced, shows what the import prints, and opens the suite.
    async fn import(&self, argument: Argument) -> Result<Option<LSPAny>> {
        let uri = argument.uri.ok_or_else(|| failed("specify `uri`, that of a log"))?;
        let path = uris::to_path(&uri).ok_or_else(|| failed_until(Remedy::Save, "save the log in a file first"))?;
        let client = self.client.clone();
        let question = format!("Import {} as a suite?\n{ABOUT_TEXTS}", quoted(&path.display().to_string()));
        let asked = async move { client.ask(without_links(&question), &[KEEP, REPLACE], texts::CANCEL).await };
        let redacts = match separately(asked).await?.as_deref() {
            Some(KEEP) => false,
            Some(REPLACE) => true,
            _ => return Ok(None),
        };
        let open = self.shared.read(|state| state.text(&uri));
        let imported = uncancelled(move || imports::import(&path, open, redacts)).await?.map_err(failed)?;
        self.show_text(None, "import".to_owned(), ".txt", || Ok(Some(imported.printed))).await?;
        // With a place, because the page opens beside it.
        self.show(imported.suite, None, Some(Range::default()));
        Ok(None)
    }

    /// The suite of a command, with the answers of its cases.
    async fn judged(&self, argument: &Argument) -> Result<Snapshot> {
        let uri = self.uri_of(argument)?;
        self.judged_suite(&uri).await?.ok_or_else(|| failed(format!("{} is not an eval suite", quoted(uri.as_str()))))
    }

    fn uri_of(&self, argument: &Argument) -> Result<Uri> {
        let only = || {
            let open = self.shared.read(|state| state.open_suites());
            match &open[..] {
                [only] => Some(only.uri.clone()),
                _ => None,
            }
        };
        let named = argument.uri.clone().or_else(only);
        named.ok_or_else(|| failed("specify `uri`: not exactly one suite is open"))
    }
}

/// What a person decides about an import.
const KEEP: &str = "Keep the texts";
const REPLACE: &str = "Replace personal data";
const ABOUT_TEXTS: &str = "The suite and its transcripts keep the texts as they are, or e-mail addresses, phone numbers, card numbers and \
                           tokens are replaced.";

fn case_of(argument: &Argument) -> Result<String> {
    argument.case.clone().ok_or_else(|| failed("specify `case`"))
}

fn ids_that_failed(suite: &Snapshot) -> Vec<String> {
    let cases = suite.document.suite().cases.iter().zip(suite.document.verdicts(&suite.answers));
    let failed = cases.filter(|(_, verdict)| {
        verdict.as_ref().is_some_and(|verdict| matches!(verdict.status(), Status::Fail | Status::Error))
    });
    failed.filter_map(|(placed, _)| Some(placed.case.id.as_ref()?.value.clone())).collect()
}

fn refused(fault: AnswerFault) -> Error {
    match fault {
        AnswerFault::NoFile => failed_until(Remedy::Save, fault),
        fault => failed(fault),
    }
}

/// Changes what is remembered from session to session, in a separate thread.
fn remember(chosen: ChosenTarget) {
    tokio::task::spawn_blocking(|| {
        if let Err(fault) = Choices::change(|choices| choices.choose(chosen)) {
            log(&format!("could not save a choice for later sessions: {fault}"));
        }
    });
}

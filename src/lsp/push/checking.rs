//! The progress of a check that takes long, such as the first one of a large suite.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use ls_types::{
    ProgressParams, ProgressParamsValue, ProgressToken, Uri, WorkDoneProgress, WorkDoneProgressBegin,
    WorkDoneProgressEnd,
};
use tokio::sync::oneshot;
use tokio::time::timeout;

use super::{ClientHandle, Push};
use crate::text::visible_text;

/// How long a check may take before the client shows that it runs.
const LONG: Duration = Duration::from_millis(500);

/// The prefix of the progress tokens of checks; a number follows.
const TOKEN: &str = "eval-ls/check/";

/// A running check. It ends when this is dropped.
pub(super) struct Checking {
    _end: Option<oneshot::Sender<()>>,
}

impl Checking {
    /// Notes the start of a check. Never waits for the client.
    pub(super) fn start(client: &ClientHandle, uri: &Uri) -> Checking {
        if !client.shared().read(|state| state.support().work_done_progress) {
            return Checking { _end: None };
        }
        let (end, ended) = oneshot::channel();
        client.spawn(show(client.clone(), file_name(uri), ended));
        Checking { _end: Some(end) }
    }
}

async fn show(client: ClientHandle, file: String, mut ended: oneshot::Receiver<()>) {
    static NUMBER: AtomicU64 = AtomicU64::new(0);
    if timeout(LONG, &mut ended).await.is_ok() {
        return;
    }
    let token = ProgressToken::String(format!("{TOKEN}{}", NUMBER.fetch_add(1, Ordering::Relaxed)));
    if client.requests().create_work_done_progress(token.clone()).await.is_err() {
        return;
    }
    let report = |value| {
        let value = ProgressParamsValue::WorkDone(value);
        client.push(Push::Progress(ProgressParams { token: token.clone(), value }));
    };
    let title = format!("Checking {file}");
    report(WorkDoneProgress::Begin(WorkDoneProgressBegin { title, ..WorkDoneProgressBegin::default() }));
    let _ = ended.await;
    report(WorkDoneProgress::End(WorkDoneProgressEnd { message: None }));
}

fn file_name(uri: &Uri) -> String {
    visible_text(uri.as_str().rsplit('/').next().unwrap_or_default())
}

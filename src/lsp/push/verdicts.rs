//! Has the client ask again for what shows verdicts if they change without an edit: a transcript is written or removed, a
//! run ends, or the age of an answer reads differently.

use std::time::{Duration, SystemTime};

use crate::lsp::session::shared::Shared;

use super::{ClientHandle, Push};

/// How often ages are compared. Ages are shown in minutes.
const INTERVAL: Duration = Duration::from_secs(60);

pub(crate) fn start(client: ClientHandle) {
    tokio::spawn(async move {
        let mut last_refresh = SystemTime::now();
        loop {
            let refreshes = next_refreshes(client.shared(), last_refresh, INTERVAL).await;
            if !refreshes.is_empty() {
                refreshes.into_iter().for_each(|push| client.push(push));
                last_refresh = SystemTime::now();
            }
        }
    });
}

/// Waits for changed answers, at most for `interval`. Returns what is due then: nothing if no answer has changed and no
/// age reads differently than at `last_refresh`.
async fn next_refreshes(shared: &Shared, last_refresh: SystemTime, interval: Duration) -> Vec<Push> {
    tokio::select! {
        _ = shared.next_answered() => vec![Push::RefreshDiagnostics, Push::RefreshInlayHints],
        () = tokio::time::sleep(interval) => {
            match shared.read(|state| state.has_aged(last_refresh, SystemTime::now())) {
                true => vec![Push::RefreshInlayHints],
                false => Vec::new(),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use ls_types::TextDocumentItem;

    use super::*;
    use crate::transcript::Transcript;

    #[tokio::test]
    async fn hints_are_refreshed_only_if_an_age_reads_differently() {
        let shared = Shared::default();
        let uri: ls_types::Uri = "untitled:suite".parse().unwrap();
        let text = r#"{ "cases": [ { "id": "A", "prompt": "p" } ] }"#;
        let item = TextDocumentItem::new(uri.clone(), "eval-suite".to_owned(), 1, text.to_owned());
        shared.change(|state| state.open(item, false));
        shared.change(|state| state.keep_answer(&uri, "A", Arc::new(Transcript::default())));
        let now = SystemTime::now();
        let answered = next_refreshes(&shared, now, INTERVAL).await;
        assert!(matches!(answered[..], [Push::RefreshDiagnostics, Push::RefreshInlayHints]), "{answered:?}");
        let soon = Duration::from_millis(1);
        let same_age = next_refreshes(&shared, now, soon).await;
        assert!(same_age.is_empty(), "{same_age:?}");
        let other_age = next_refreshes(&shared, now + Duration::from_secs(3600), soon).await;
        assert!(matches!(other_age[..], [Push::RefreshInlayHints]), "{other_age:?}");
    }
}

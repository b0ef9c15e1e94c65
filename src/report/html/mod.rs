//! Pages that load nothing, as one HTML document: a run (`page.*`), and one answer with its verdict (`transcript.*`). A page has its
//! style, its script and its data as JSON.
//!
//! The content security policy of a page allows only this style and this script, by their hashes. The JSON has no `<`, and
//! the scripts set text and never HTML, so text of suites and answers stays text.

mod run;
#[cfg(test)]
mod tests;
mod transcript;

use run::Page;
pub(crate) use run::{PageError, page_of};
pub(crate) use transcript::{TranscriptHead, TranscriptPage, TranscriptSource};

use data_encoding::BASE64;
use hmac_sha256::Hash as Sha256;
use serde::Serialize;

/// A page without its data.
struct Template {
    page: &'static str,
    style: &'static str,
    script: &'static str,
}

const RUN: Template = Template {
    page: include_str!("page.html"),
    style: concat!(include_str!("common.css"), include_str!("page.css")),
    script: concat!(include_str!("common.js"), include_str!("page.js")),
};

const TRANSCRIPT: Template = Template {
    page: include_str!("transcript.html"),
    style: concat!(include_str!("common.css"), include_str!("transcript.css")),
    script: concat!(include_str!("common.js"), include_str!("transcript.js")),
};

/// The page of a run as one HTML document.
fn html(page: &Page) -> String {
    RUN.with(page)
}

/// The page of an answer as one HTML document.
pub(crate) fn transcript_html(page: &TranscriptPage) -> String {
    TRANSCRIPT.with(page)
}

impl Template {
    fn with(&self, data: &impl Serialize) -> String {
        let data = serde_json::to_string(data).expect("plain data serializes");
        let hash = |text: &str| format!("sha256-{}", BASE64.encode(&Sha256::hash(text.as_bytes())));
        let parts = [
            ("%STYLE_HASH%", hash(self.style)),
            ("%SCRIPT_HASH%", hash(self.script)),
            ("%STYLE%", self.style.to_owned()),
            ("%SCRIPT%", self.script.to_owned()),
            // Last, because answers may have any text. In JSON, `<` is only in strings.
            ("%DATA%", data.replace('<', "\\u003c")),
        ];
        parts.iter().fold(self.page.to_owned(), |page, (name, text)| page.replacen(name, text, 1))
    }
}

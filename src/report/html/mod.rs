//! A run as one HTML page that loads nothing: `page.html` with its style and script, and the cases as JSON.
//!
//! The content security policy of the page allows only this style and this script, by their hashes. The JSON has no `<`, and
//! the script sets text and never HTML, so text of suites and answers stays text.

mod kept;
mod model;
#[cfg(test)]
mod tests;

pub(crate) use kept::{PageError, page_of};
use model::{Page, PageSource};

use data_encoding::BASE64;
use sha2::{Digest, Sha256};

const PAGE: &str = include_str!("page.html");
const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

/// The page as one HTML document.
fn html(page: &Page) -> String {
    let data = serde_json::to_string(page).expect("plain data serializes");
    let hash = |text: &str| format!("sha256-{}", BASE64.encode(&Sha256::digest(text.as_bytes())));
    let parts = [
        ("%STYLE_HASH%", hash(STYLE)),
        ("%SCRIPT_HASH%", hash(SCRIPT)),
        ("%STYLE%", STYLE.to_owned()),
        ("%SCRIPT%", SCRIPT.to_owned()),
        // Last, because answers may have any text. In JSON, `<` is only in strings.
        ("%DATA%", data.replace('<', "\\u003c")),
    ];
    parts.iter().fold(PAGE.to_owned(), |page, (name, text)| page.replacen(name, text, 1))
}

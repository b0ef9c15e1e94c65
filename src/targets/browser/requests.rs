//! The page's requests: which of them are open, and what an open one says about the turn.

use std::collections::{BTreeSet, HashMap};

use percent_encoding::percent_decode_str;
use serde_json::Value;
use url::Url;

use crate::targets::plain::plain;

/// How often a page may request an address until it counts as polling.
const POLLING: usize = 3;

/// How many code points of an address a reason shows. One line of a terminal.
const ADDRESS: usize = 100;

/// How many letters and digits a prompt needs at least to be recognized in a request.
/// Shorter texts are in many requests by chance.
const RECOGNIZABLE: usize = 4;

/// How often an address has ended, as the page's own records have it.
pub(super) type Ended = [(String, usize)];

/// The requests that were open when the prompt was sent: they are not for its answer, and neither are later ones to the
/// same place, such as the next request of a long poll.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Background(BTreeSet<(String, String)>);

/// A request that was sent since the prompt and has not ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct OpenRequest {
    /// How a message shows it: `POST /ask`.
    pub(super) shown: String,
    /// Whether it carries the prompt to the app.
    pub(super) has_prompt: bool,
    /// Whether the app has begun to respond.
    pub(super) is_answered: bool,
}

/// A request as agent-browser lists it.
struct Listed<'a> {
    method: &'a str,
    /// Without its fragment.
    url: &'a str,
    body: &'a str,
    is_answered: bool,
    /// Whether it is for a stream of events.
    is_stream: bool,
    /// In milliseconds since 1970.
    sent: f64,
}

impl Listed<'_> {
    /// The address without query and fragment.
    fn place(&self) -> &str {
        self.url.split('?').next().unwrap_or_default()
    }

    fn shown(&self) -> String {
        let path = self.place().splitn(4, '/').nth(3).unwrap_or_default();
        plain(&format!("{} /{path}", self.method)).chars().take(ADDRESS).collect()
    }
}

impl Background {
    /// The requests of `listed`, agent-browser's answer, that have not `ended`, without those from before the page was
    /// `loaded` (in milliseconds since 1970).
    pub(super) fn new(listed: &Value, ended: &Ended, loaded: f64) -> Self {
        let mut requests = read(listed);
        requests.retain(|request| request.sent >= loaded);
        let open = unended(&requests, ended).into_iter();
        Self(open.map(|request| (request.method.to_owned(), request.place().to_owned())).collect())
    }

    fn has(&self, request: &Listed<'_>) -> bool {
        self.0.iter().any(|(method, place)| method == request.method && place == request.place())
    }
}

/// The open request that says most about the turn: one that carries the prompt to a host of `page`, else one that nobody
/// has answered, else any.
pub(super) fn open_request(
    listed: &Value,
    ended: &Ended,
    background: &Background,
    prompt: &str,
    page: &str,
) -> Option<OpenRequest> {
    let requests = read(listed);
    let mut counts: HashMap<&str, usize> = HashMap::new();
    for request in &requests {
        *counts.entry(request.place()).or_default() += 1;
    }
    let (words, host) = (letters(prompt), host(page));
    let mut open: Vec<OpenRequest> = unended(&requests, ended)
        .into_iter()
        .filter(|request| !background.has(request))
        .map(|request| {
            let has_prompt = words.len() >= RECOGNIZABLE
                && host.is_some()
                && self::host(request.url) == host
                && (letters(request.body).contains(&words) || letters(request.url).contains(&words));
            let is_polling = counts.get(request.place()).is_some_and(|count| *count >= POLLING);
            (request, has_prompt, is_polling)
        })
        .filter(|(_, has_prompt, is_polling)| *has_prompt || !is_polling)
        .map(|(request, has_prompt, _)| OpenRequest {
            shown: request.shown(),
            has_prompt,
            is_answered: request.is_answered,
        })
        .collect();
    open.sort_by_key(|request| (!request.has_prompt, request.is_answered, request.shown.clone()));
    open.into_iter().next()
}

/// Whether a request of `listed` that was sent at most `within` milliseconds before `now` waits for its response. `now` is
/// in milliseconds since 1970.
pub(super) fn is_loading(listed: &Value, now: f64, within: f64) -> bool {
    read(listed).iter().any(|request| !request.is_answered && !request.is_stream && now - request.sent < within)
}

fn read(listed: &Value) -> Vec<Listed<'_>> {
    let requests = listed.get("requests").and_then(Value::as_array);
    requests.into_iter().flatten().filter_map(one).collect()
}

fn one(request: &Value) -> Option<Listed<'_>> {
    let word = |key| request.get(key).and_then(Value::as_str).unwrap_or_default();
    matches!(word("resourceType"), "Fetch" | "XHR" | "EventSource").then(|| Listed {
        method: word("method"),
        url: word("url").split('#').next().unwrap_or_default(),
        body: word("postData"),
        is_answered: request.get("status").is_some_and(|status| !status.is_null()),
        is_stream: word("resourceType") == "EventSource",
        sent: request.get("timestamp").and_then(Value::as_f64).unwrap_or_default(),
    })
}

/// The requests that have not ended. Of several to one address, the last are the ones that are open.
fn unended<'a, 'b>(requests: &'b [Listed<'a>], ended: &Ended) -> Vec<&'b Listed<'a>> {
    let mut ended: HashMap<&str, usize> = ended.iter().map(|(url, count)| (url.as_str(), *count)).collect();
    requests
        .iter()
        .filter(|request| match ended.get_mut(request.url) {
            Some(count) if *count > 0 => {
                *count -= 1;
                false
            }
            _ => true,
        })
        .collect()
}

fn host(address: &str) -> Option<String> {
    Url::parse(address).ok().and_then(|url| url.host_str().map(str::to_owned))
}

/// The letters and digits of a text in lower case, whether it is plain, in JSON or in a query.
fn letters(text: &str) -> String {
    let decoded = percent_decode_str(text).decode_utf8_lossy();
    let mut letters = String::with_capacity(decoded.len());
    let mut rest = decoded.chars();
    while let Some(character) = rest.next() {
        if character.is_alphanumeric() {
            letters.push(character);
        } else if character == '\\' && rest.next() == Some('u') {
            // A code unit of JSON. Any other escaped character is not a letter.
            let digits: String = rest.by_ref().take(4).collect();
            let escaped = u32::from_str_radix(&digits, 16).ok().and_then(char::from_u32);
            letters.extend(escaped.filter(|escaped| escaped.is_alphanumeric()));
        }
    }
    letters.to_lowercase()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    const PAGE: &str = "http://localhost:3000/";
    const PROMPT: &str = "How \"many\" commits?\nAnd größer ones?";

    fn request(method: &str, kind: &str, path: &str) -> Value {
        json!({ "method": method, "resourceType": kind, "url": format!("http://localhost{path}") })
    }

    fn with(mut request: Value, key: &str, value: Value) -> Value {
        request[key] = value;
        request
    }

    fn open(requests: &[Value], ended: &[(&str, usize)], background: &Background) -> Option<(String, bool, bool)> {
        let ended: Vec<_> = ended.iter().map(|(path, count)| (format!("http://localhost{path}"), *count)).collect();
        let listed = json!({ "requests": requests });
        let found = open_request(&listed, &ended, background, PROMPT, PAGE)?;
        Some((found.shown, found.has_prompt, found.is_answered))
    }

    #[test]
    fn a_request_is_open_until_it_has_ended() {
        let ask = request("POST", "Fetch", "/ask?x=1");
        let poll = request("GET", "XHR", "/poll");
        let none = Background::default();
        let post_ask = Some(("POST /ask".to_owned(), false, false));
        for (requests, ended, expected) in [
            (vec![], &[][..], None),
            (vec![ask.clone()], &[], post_ask.clone()),
            (vec![ask.clone()], &[("/ask?x=1", 1)], None),
            (vec![ask.clone(), ask.clone()], &[("/ask?x=1", 1)], post_ask),
            (vec![request("GET", "WebSocket", "/socket")], &[], None),
            (vec![request("GET", "EventSource", "/events")], &[], Some(("GET /events".to_owned(), false, false))),
            (vec![poll.clone(), poll.clone(), poll], &[("/poll", 2)], None),
            (
                vec![with(ask.clone(), "status", json!(200)), request("GET", "Fetch", "/new")],
                &[],
                Some(("GET /new".to_owned(), false, false)),
            ),
        ] {
            assert_eq!(open(&requests, ended, &none), expected, "{requests:?}");
        }
    }

    #[test]
    fn a_request_that_was_open_before_the_prompt_is_not_for_its_answer_nor_is_the_next_to_its_place() {
        let poll = |n: u8| request("GET", "Fetch", &format!("/poll?n={n}"));
        let ask = request("POST", "Fetch", "/ask");
        let ended = [("http://localhost/ask".to_owned(), 1)];
        let background = Background::new(&json!({ "requests": [poll(1), ask] }), &ended, 0.0);
        assert_eq!(open(&[poll(2)], &[], &background), None);
        let old = Background::new(&json!({ "requests": [with(poll(1), "timestamp", json!(999))] }), &[], 1000.0);
        assert_eq!(old, Background::default(), "a page that is gone has no open requests");
        assert_eq!(open(&[poll(2), ask], &[], &background), Some(("POST /ask".to_owned(), false, false)));
    }

    #[test]
    fn a_request_that_carries_the_prompt_comes_first() {
        let ask = request("POST", "Fetch", "/ask");
        let other = request("GET", "Fetch", "/a");
        let encoded = "/ask?q=How%20%22many%22%20commits%3F%0AAnd%20gr%C3%B6%C3%9Fer%20ones%3F";
        let escaped = r#"{"q":"How \"many\" commits?\nAnd gr\u00f6\u00DFer ones?"}"#;
        for (request, has_prompt) in [
            (with(ask.clone(), "postData", json!(PROMPT)), true),
            (with(ask.clone(), "postData", json!(escaped)), true),
            (with(ask.clone(), "postData", json!("q=How+%22many%22+commits%3F+And+gr%C3%B6%C3%9Fer+ones%3F")), true),
            (request("GET", "EventSource", encoded), true),
            (with(ask.clone(), "postData", json!("How few commits?")), false),
            (with(with(ask, "postData", json!(PROMPT)), "url", json!("http://elsewhere.example/collect")), false),
        ] {
            let found = open(&[other.clone(), request.clone()], &[], &Background::default()).expect("both are open");
            assert_eq!(found.1, has_prompt, "{request}");
        }
    }

    #[test]
    fn a_page_is_loading_while_a_recent_request_has_no_response() {
        let sent = |request, at: u64| with(request, "timestamp", json!(at));
        let data = || sent(request("GET", "Fetch", "/data"), 10_000);
        for (request, is_loading_then) in [
            (data(), true),
            (with(data(), "status", json!(200)), false),
            (sent(request("GET", "Fetch", "/data"), 1_000), false),
            (sent(request("GET", "EventSource", "/events"), 10_000), false),
            (sent(request("GET", "Image", "/picture"), 10_000), false),
        ] {
            assert_eq!(is_loading(&json!({ "requests": [request] }), 11_000.0, 3_000.0), is_loading_then, "{request}");
        }
    }
}

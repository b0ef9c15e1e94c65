//! Secrets in addresses of apps.

use url::{Origin, Url};

use crate::config::BrowserTarget;

/// What replaces a value of a query.
const STRUCK_OUT: &str = "redacted";

/// The address without its password and user, and without the values of its query. The names of the query stay. A text that is
/// not an address becomes empty: it could hold anything.
pub(crate) fn struck_out(address: &str) -> String {
    let Ok(mut url) = Url::parse(address) else { return String::new() };
    // Both fail only for addresses that cannot have a user.
    let _ = (url.set_username(""), url.set_password(None));
    if url.query().is_some() {
        let names: Vec<String> = url.query_pairs().map(|(name, _)| name.into_owned()).collect();
        url.query_pairs_mut().clear().extend_pairs(names.iter().map(|name| (name, STRUCK_OUT)));
    }
    url.set_fragment(None);
    url.into()
}

/// The password in an address, decoded.
pub(crate) fn password(address: &str) -> Option<String> {
    let url = Url::parse(address).ok()?;
    let password = percent_encoding::percent_decode_str(url.password()?);
    Some(password.decode_utf8_lossy().into_owned())
}

/// The values of the query, and the fragment, as they are in the address and decoded.
pub(crate) fn query_values(address: &str) -> Vec<String> {
    let Ok(url) = Url::parse(address) else { return Vec::new() };
    let raw = url.query().into_iter().flat_map(|query| query.split('&'));
    let raw = raw.filter_map(|pair| pair.split_once('=')).map(|(_, value)| value.to_owned());
    let decoded = url.query_pairs().map(|(_, value)| value.into_owned());
    raw.chain(decoded).chain(url.fragment().map(str::to_owned)).collect()
}

/// The origins (scheme, host and port) that belong to the app.
#[derive(Clone, Debug)]
pub(super) struct Addresses {
    origins: Vec<Origin>,
}

impl Addresses {
    /// The origins that the target's table names.
    pub(super) fn of(config: &BrowserTarget) -> Self {
        let named = [&config.url].into_iter().chain(&config.space_url).chain(&config.allow);
        Self { origins: named.filter_map(|address| origin(address)).collect() }
    }

    /// Whether a page at `address` belongs to the app.
    pub(super) fn allow(&self, address: &str) -> bool {
        origin(address).is_some_and(|origin| self.origins.contains(&origin))
    }
}

/// The origin of an address; `None` if the text is not an address, or if such addresses have no origin (`data:`, `about:`,
/// `file:`).
fn origin(address: &str) -> Option<Origin> {
    Url::parse(address).ok().map(|url| url.origin()).filter(Origin::is_tuple)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_lose_what_may_be_secret() {
        for (address, plain, secret) in [
            ("http://localhost:3000/", "http://localhost:3000/", None),
            ("http://a.example/b?token=x%20y&c=1#y", "http://a.example/b?token=redacted&c=redacted", None),
            ("https://user:p%40ss@app.example/", "https://app.example/", Some("p@ss")),
            ("not an address", "", None),
        ] {
            assert_eq!(struck_out(address), plain);
            assert_eq!(password(address).as_deref(), secret);
        }
        assert_eq!(query_values("http://a/?t=x%20y&c&d=1#z"), ["x%20y", "1", "x y", "", "1", "z"]);
    }

    #[test]
    fn an_address_belongs_to_the_app_by_its_origin() {
        let config = BrowserTarget {
            space_url: Some("https://space.example/board".to_owned()),
            allow: vec!["http://127.0.0.1:8080/login".to_owned(), "no address".to_owned()],
            ..BrowserTarget::new("http://localhost:3000/app")
        };
        let addresses = Addresses::of(&config);
        for (address, is_allowed) in [
            ("http://localhost:3000", true),
            ("http://LOCALHOST:3000/other?x#y", true),
            ("https://space.example:443/", true),
            ("http://127.0.0.1:8080/", true),
            ("http://localhost:3001/", false),
            ("https://localhost:3000/", false),
            ("http://localhost:3000@evil.example/", false),
            ("http://localhost.evil.example:3000/", false),
            ("https://space.example.evil/", false),
            ("about:blank", false),
            ("data:text/html,hello", false),
            ("file:///etc/passwd", false),
            ("chrome-error://chromewebdata/", false),
            ("no address", false),
            ("", false),
        ] {
            assert_eq!(addresses.allow(address), is_allowed, "{address}");
        }
    }
}

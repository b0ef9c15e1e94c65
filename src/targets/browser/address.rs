//! Which addresses the page may be at.

use url::{Origin, Url};

use crate::config::BrowserTarget;

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

use url::Url;

/// An address without user, password, query and fragment, which may be secret.
pub(crate) fn plain_address(address: &str) -> String {
    let Ok(mut url) = Url::parse(address) else { return String::new() };
    // Both fail only for addresses that cannot have a user.
    let _ = (url.set_username(""), url.set_password(None));
    url.set_query(None);
    url.set_fragment(None);
    url.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_have_no_secrets() {
        for (address, plain) in [
            ("http://localhost:3000/a?token=x#y", "http://localhost:3000/a"),
            ("https://user:pass@app.example/", "https://app.example/"),
            ("not an address", ""),
        ] {
            assert_eq!(plain_address(address), plain);
        }
    }
}

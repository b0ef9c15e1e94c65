//! Converts between `file:` URIs and paths, byte by byte, because a path need not be UTF-8.

use std::path::{Path, PathBuf};

use ls_types::Uri;

use crate::workspace::without_dots;

/// The file that a URI names; `None` for other schemes and relative paths.
pub(crate) fn to_path(uri: &Uri) -> Option<PathBuf> {
    if !uri.scheme().as_str().eq_ignore_ascii_case("file") {
        return None;
    }
    decoded(uri).filter(|path| path.is_absolute()).map(|path| without_dots(&path))
}

#[cfg(unix)]
fn decoded(uri: &Uri) -> Option<PathBuf> {
    use std::ffi::OsString;
    use std::os::unix::ffi::OsStringExt;
    Some(OsString::from_vec(uri.path().decode().to_bytes().into_owned()).into())
}

#[cfg(not(unix))]
fn decoded(uri: &Uri) -> Option<PathBuf> {
    uri.to_file_path().map(|path| crate::workspace::native(&path))
}

/// The URI of an absolute path.
#[cfg(unix)]
pub(crate) fn from_path(path: &Path) -> Option<Uri> {
    use std::os::unix::ffi::OsStrExt;

    let path = crate::text::percent_encoded_path(path.as_os_str().as_bytes());
    format!("file://{path}").parse().ok()
}

/// The URI of an absolute path.
#[cfg(not(unix))]
pub(crate) fn from_path(path: &Path) -> Option<Uri> {
    Uri::from_file_path(path)
}

#[cfg(unix)]
#[cfg(test)]
mod tests {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;

    use super::*;

    #[test]
    fn every_path_has_a_uri_that_leads_back() {
        for (path, uri) in [
            (&b"/a/b.json"[..], "file:///a/b.json"),
            (b"/with space/100%/[x]#?.json", "file:///with%20space/100%25/%5Bx%5D%23%3F.json"),
            ("/évals/😀.json".as_bytes(), "file:///%C3%A9vals/%F0%9F%98%80.json"),
            (b"/not \xff utf-8", "file:///not%20%FF%20utf-8"),
        ] {
            let path = Path::new(OsStr::from_bytes(path));
            let made = from_path(path).unwrap();
            assert_eq!(made.as_str(), uri);
            assert_eq!(to_path(&made).as_deref(), Some(path));
        }
    }

    #[test]
    fn only_absolute_file_uris_name_files() {
        for (uri, path) in [
            ("untitled:Untitled-1", None),
            ("git:/a/b.json?{}", None),
            ("file:b.json", None),
            ("file://", None),
            ("FILE:///a", Some("/a")),
            ("file://localhost/a%20b", Some("/a b")),
            ("file:///evals/../evals/%2e%2e/a.json", Some("/a.json")),
            ("file:///../a", Some("/a")),
        ] {
            let Ok(uri) = uri.parse::<Uri>() else {
                assert_eq!(path, None, "{uri}");
                continue;
            };
            assert_eq!(to_path(&uri).as_deref(), path.map(Path::new), "{}", uri.as_str());
        }
    }
}

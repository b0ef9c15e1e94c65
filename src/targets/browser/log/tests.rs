use std::fs;
use std::io::Write;
use std::path::Path;

use tempfile::TempDir;

use super::*;

/// What happens to a log while it is followed.
enum Happens {
    Append(&'static str),
    /// The log is moved away; the next append makes another.
    MoveAway,
    /// The log is moved away and still written to, and the new one is begun.
    MoveAwayWhileWritten(&'static str, &'static str),
    Empty,
    Poll,
}
use Happens::*;

async fn events(before: Option<&str>, happens: &[Happens]) -> Result<Vec<String>, String> {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("app.log");
    if let Some(before) = before {
        fs::write(&path, before).unwrap();
    }
    let append = |path: &Path, text: &str| {
        let mut file = fs::OpenOptions::new().append(true).create(true).open(path).unwrap();
        file.write_all(text.as_bytes()).unwrap();
    };
    let mut log = Log::follow(&path).await.unwrap();
    for (at, what) in happens.iter().enumerate() {
        let moved = folder.path().join(format!("app.log.{at}"));
        match what {
            Append(text) => append(&path, text),
            MoveAway => fs::rename(&path, moved).unwrap(),
            MoveAwayWhileWritten(old, new) => {
                fs::rename(&path, &moved).unwrap();
                append(&path, new);
                append(&moved, old);
            }
            Empty => fs::File::options().write(true).truncate(true).open(&path).map(drop).unwrap(),
            Poll => log = log.poll().await.unwrap(),
        }
    }
    let path = path.display().to_string();
    let log = log.finish().await.map_err(|error| error.to_string().replace(&path, "app.log"))?;
    Ok(log.events().iter().map(|event| event.text().into_owned()).collect())
}

#[tokio::test]
async fn what_is_appended_is_the_telemetry() {
    let old = Some("{\"old\":1}\n");
    const A: &str = "{\"a\":1}\n";
    const B: &str = "{\"b\":2}\n";
    const C: &str = "{\"c\":3}\n";
    for (name, before, happens, expected) in [
        ("nothing", old, &[][..], ""),
        ("lines", old, &[Append("{\"a\": 1}\r\n\n"), Append(B)], "{\"a\":1} {\"b\":2}"),
        ("in pieces", old, &[Append("{\"a\""), Poll, Append(":1}\n{"), Poll, Append("}\n")], "{\"a\":1} {}"),
        ("no file at first", None, &[Append(A)], "{\"a\":1}"),
        ("empty at first", Some(""), &[Append(A)], "{\"a\":1}"),
        ("the end of an old line", Some("{\"old\""), &[Append(":1}\n"), Append(A)], "{\"a\":1}"),
        ("an old line without an end", Some("{\"old\""), &[Append(":1}")], ""),
        ("no end", old, &[Append(A), Append(B.trim_ascii())], "{\"a\":1} {\"b\":2}"),
        ("half a line", old, &[Append(A), Append("{\"b\":")], "{\"a\":1} {\"b\":"),
        ("no JSON", old, &[Append("failed\n[1]\n")], "failed [1]"),
        ("moved away", old, &[Append(A), MoveAway, Append(B)], "{\"a\":1} {\"b\":2}"),
        (
            "moved away twice",
            old,
            &[Append(A), MoveAway, Append(B), Poll, MoveAway, Append(C)],
            "{\"a\":1} {\"b\":2} {\"c\":3}",
        ),
        ("moved while it is written", old, &[Append(A), MoveAwayWhileWritten(B, C)], "{\"a\":1} {\"b\":2} {\"c\":3}"),
        ("moved away and not begun", old, &[Append(A), MoveAway], "{\"a\":1}"),
        ("emptied", old, &[Append(A), Poll, Empty, Append(B)], "{\"a\":1} {\"b\":2}"),
        ("emptied and grown longer", old, &[Empty, Append(A), Append(B), Append(C)], "{\"a\":1} {\"b\":2} {\"c\":3}"),
        ("emptied within a line", Some("{\"old\""), &[Empty, Append(A)], "{\"a\":1}"),
    ] {
        assert_eq!(events(before, happens).await.map(|events| events.join(" ")), Ok(expected.to_owned()), "{name}");
    }
}

#[tokio::test]
async fn a_log_that_never_was_there_is_missing() {
    let message = "the telemetry log `app.log` does not exist; correct `telemetry_log` in eval-ls.toml, or let the app \
                   write it";
    assert_eq!(events(None, &[Poll]).await, Err(message.to_owned()));
}

#[tokio::test]
async fn a_log_that_is_a_folder_cannot_be_read() {
    let folder = TempDir::new().unwrap();
    let error = Log::follow(folder.path()).await.unwrap_err().to_string();
    assert!(error.ends_with("cannot be read: not a regular file"), "{error}");
}

#[tokio::test]
async fn a_log_that_grows_without_end_is_too_much() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("app.log");
    let log = Log::follow(&path).await.unwrap();
    fs::write(&path, vec![b'x'; MOST as usize + 1]).unwrap();
    assert!(matches!(log.finish().await, Err(LogError::TooMuch(_))));
}

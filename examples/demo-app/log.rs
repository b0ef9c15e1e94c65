//! The app's log: JSON lines, as an app in production writes them.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use serde_json::{Value, json};
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;

pub(crate) struct Log(Mutex<File>);

impl Log {
    /// Opens the log at `path`. Creates it if it does not exist.
    pub(crate) fn open(path: &Path) -> io::Result<Self> {
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder)?;
        }
        Ok(Self(Mutex::new(OpenOptions::new().append(true).create(true).open(path)?)))
    }

    /// Appends an event.
    pub(crate) fn write(&self, source: &str, event: &str, data: Value) {
        let ts = OffsetDateTime::now_utc().format(&Rfc3339).unwrap_or_default();
        let mut line = json!({ "ts": ts, "level": "info", "source": source, "event": event, "data": data }).to_string();
        line.push('\n');
        let mut file = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Err(error) = file.write_all(line.as_bytes()) {
            eprintln!("the log cannot be written: {error}");
        }
    }
}

//! Tests of the real binary: `eval-ls run` and what goes on from a run, each in a temporary folder.

mod actions;
mod answers;
mod cancel;
mod claims;
mod compare;
mod conditions;
mod errors;
#[cfg(unix)]
mod foreign;
mod formats;
mod kept;
mod killed;
mod losses;
mod place;
mod repeats;
mod report;
mod reports;
mod resume;
mod schemas;
mod secrets;
mod show;
mod statuses;
mod whose;

use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::Value;

fn edit_json(path: &Path, edit: impl FnOnce(&mut Value)) {
    let mut value = serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
    edit(&mut value);
    std::fs::write(path, format!("{value}\n")).unwrap();
}

/// Makes a run one of an earlier version, which did not write a hash of the lines.
fn without_lines(run: &Path) {
    edit_json(&run.join("run.json"), |record| {
        assert!(record.as_object_mut().unwrap().remove("lines").is_some(), "{record}");
    });
}

fn wait_for(mut is_done: impl FnMut() -> bool) {
    let start = Instant::now();
    while !is_done() {
        assert!(start.elapsed() < Duration::from_secs(120), "timed out");
        std::thread::sleep(Duration::from_millis(5));
    }
}

//! Generates files and parts of files from the code. `cargo test --test integration codegen` fails if one is out of date;
//! `cargo codegen` writes them.

mod challenges;
mod configuration;
#[cfg(unix)]
mod console;
mod format;
mod lints;
mod page;
mod patterns;
mod program;
mod protocol;
#[cfg(unix)]
mod readme;
mod schemas;
mod settings;
mod site;
mod toml_blocks;

use std::path::Path;

/// A file, and a function from its present text to its generated text.
type Generated = (&'static str, fn(&str) -> String);

const FILES: &[Generated] = &[
    ("docs/lints.md", lints::page),
    ("schemas/eval-ls.schema.json", lints::schema),
    ("schemas/eval-ls.schema.json", schemas::address),
    ("schemas/eval-set.v0.1.schema.json", schemas::address),
    ("schemas/eval-set.v0.2.schema.json", schemas::address),
    ("schemas/eval-set.v0.3.schema.json", schemas::address),
    ("schemas/transcript.schema.json", schemas::address),
    ("schemas/result.schema.json", schemas::address),
    ("schemas/run.schema.json", schemas::address),
    ("editors/schemastore/catalog.json", schemas::catalog),
    ("docs/cli.md", program::page),
    // It needs a shell.
    #[cfg(unix)]
    ("docs/start.md", console::page),
    // It needs a shell.
    #[cfg(unix)]
    ("docs/your-assistant.md", console::page),
    ("docs/import.md", console::page),
    ("docs/logs.md", console::page),
    // It needs a shell.
    #[cfg(unix)]
    ("editors/agents/claude-code/skills/eval-suites/SKILL.md", console::page),
    ("docs/format.md", format::page),
    ("docs/SUMMARY.md", site::summary),
    ("docs/configuration.md", configuration::page),
    ("docs/challenge.md", challenges::page),
    ("docs/editor-settings.md", settings::page),
    ("editors/vscode/src/protocol.ts", protocol::typescript),
    ("editors/neovim/lua/eval-ls/types.lua", protocol::lua),
    ("editors/vscode/package.json", patterns::package),
    ("editors/vscode/src/commands/init.ts", patterns::init),
    ("editors/neovim/lua/eval-ls/patterns.lua", patterns::lua),
];

#[test]
fn generated_files_are_up_to_date() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut outdated = Vec::new();
    let mut update = |name: &str, generate: &dyn Fn(&str) -> String| {
        let path = root.join(name);
        let present = std::fs::read_to_string(&path).unwrap_or_default();
        let generated = generate(&present);
        if present == generated {
            return;
        }
        match std::env::var_os("UPDATE_CODEGEN") {
            Some(_) => {
                std::fs::create_dir_all(path.parent().unwrap()).and_then(|()| std::fs::write(&path, generated)).unwrap()
            }
            None => outdated.push(name.to_owned()),
        }
    };
    FILES.iter().for_each(|(name, generate)| update(name, generate));
    lints::pages().iter().for_each(|(name, page)| update(name, &|_| page.clone()));
    assert!(outdated.is_empty(), "out of date: {}; run `cargo codegen`", outdated.join(", "));
}

fn read(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(name);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// Replaces the text between two markers. The markers stay.
fn replace_between(text: &str, start: &str, end: &str, new: &str) -> String {
    let from = text.find(start).unwrap_or_else(|| panic!("the marker {start:?} is missing")) + start.len();
    let to = from + text[from..].find(end).unwrap_or_else(|| panic!("the marker {end:?} is missing after {start:?}"));
    format!("{}{new}{}", &text[..from], &text[to..])
}

//! What an assistant is: a hash of the files of its program.

use std::cell::Cell;
use std::path::{Path, PathBuf};

use hmac_sha256::Hash as Sha256;
use walkdir::{DirEntry, WalkDir};

use crate::config::{CONFIG_FILE, CommandTarget, Config};
use crate::files::{Reader, is_inside};
use crate::text::hex;

/// A program that has more files is not read. A person writes fewer.
const MOST_FILES: usize = 2_000;

/// A folder with more entries is not read. To list them takes about half a second.
const MOST_ENTRIES: usize = 20_000;

/// A program that is longer is not read, in bytes. A run must not wait for it.
const MOST_BYTES: u64 = 64 << 20;

/// Folders with what tools install and write, which differs from machine to machine, and with what is stored beside suites.
const FOLDERS: [&str; 11] = [
    "node_modules",
    "__pycache__",
    "venv",
    "build",
    "coverage",
    "dist",
    "out",
    "target",
    "evals",
    "transcripts",
    "samples",
];

/// The ends of files that a program consists of: code, prompts and settings. Programs write other files while they run.
const PARTS: [&str; 37] = [
    "bash", "c", "cc", "cjs", "cpp", "cs", "ex", "go", "h", "j2", "java", "jinja", "jl", "js", "jsx", "kt", "lua",
    "md", "mjs", "php", "pl", "prompt", "ps1", "py", "r", "rb", "rs", "scala", "sh", "sql", "swift", "toml", "ts",
    "tsx", "txt", "yaml", "yml",
];

/// How the names of result files begin, which can be in any folder.
const RESULTS: &str = "minimum-eval-results-";

/// A hash of the files of a program: those that `command` names, and code, prompts and settings in its folder, which is `cwd` or else
/// the folder of the first of these files. Hidden files, `eval-ls.toml`, folders of suites and installed packages do not count, and no
/// link is followed. `root` is the folder of `eval-ls.toml`. `None` if the program has no such folder, or too many files.
pub(crate) fn fingerprint(command: &CommandTarget, config: &Config, root: &Path) -> Option<String> {
    let folder = folder(command, root).filter(|folder| is_inside(folder, root))?;
    let (results, reader) = (root.join(&config.run.results), Reader::within(root, MOST_BYTES));
    let seen = Cell::new(0);
    let counts = |entry: &DirEntry| {
        seen.set(seen.get() + 1);
        let name = entry.file_name().to_string_lossy();
        entry.depth() == 0
            || seen.get() <= MOST_ENTRIES
                && !name.starts_with('.')
                && entry.path() != results
                && if entry.file_type().is_dir() {
                    !FOLDERS.contains(&&*name)
                        && name != *config.run.transcripts
                        && !entry.path().join("pyvenv.cfg").exists()
                } else {
                    let is_part = name.rsplit_once('.').is_some_and(|(_, end)| PARTS.contains(&end));
                    (is_part && name != CONFIG_FILE && !name.starts_with(RESULTS))
                        || command.command.iter().any(|word| folder.join(word) == entry.path())
                }
    };
    let mut hash = Sha256::new();
    let (mut files, mut left) = (0, MOST_BYTES);
    for entry in WalkDir::new(&folder).sort_by_file_name().into_iter().filter_entry(counts) {
        let entry = entry.ok()?;
        if !entry.file_type().is_file() {
            continue;
        }
        let content = reader.read(entry.path(), left).ok()?;
        files += 1;
        left = left.checked_sub(content.len() as u64).filter(|_| files <= MOST_FILES)?;
        let path = entry.path().strip_prefix(&folder).ok()?.to_string_lossy().into_owned();
        // git may check the same file out with other ends of lines.
        for part in [path.replace('\\', "/").into_bytes(), without_returns(content)] {
            hash.update((part.len() as u64).to_le_bytes());
            hash.update(&part);
        }
    }
    (files > 0 && seen.get() <= MOST_ENTRIES).then(|| hex(&hash.finalize()[..16]))
}

fn without_returns(mut content: Vec<u8>) -> Vec<u8> {
    content.retain(|byte| *byte != b'\r');
    content
}

fn folder(command: &CommandTarget, root: &Path) -> Option<PathBuf> {
    if command.cwd.is_some() {
        return Some(command.folder(root));
    }
    let file =
        command.command.iter().map(|word| root.join(word)).find(|path| path.is_file() && is_inside(path, root))?;
    file.parent().map(Path::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_file_of_the_program_counts_and_no_other() {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| {
            let path = folder.path().join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        };
        write("agent.py", "1");
        write("lib/desk.py", "1");
        let config = Config::default();
        let command = CommandTarget {
            command: ["python3", "agent.py"].map(str::to_owned).to_vec(),
            cwd: None,
            env: Default::default(),
            pass_env: Vec::new(),
        };
        let now = || fingerprint(&command, &config, folder.path()).unwrap();
        let first = now();
        let others = "a.evals.json evals/b.md transcripts/a.evals/A.txt results/x.md eval-ls.toml .git/x.py \
                      lib/__pycache__/desk.pyc agent.log state.json shard/minimum-eval-results-1.md \
                      lib/node_modules/x/y.js env/pyvenv.cfg env/x.py dist/agent.js";
        for name in others.split(' ') {
            write(name, "2");
            assert_eq!(now(), first, "{name}");
        }
        for name in ["lib/desk.py", "lib/new.py", "agent.py", "prompt.md"] {
            let before = now();
            write(name, "2");
            assert_ne!(now(), before, "{name}");
        }
        let nothing = CommandTarget { command: vec!["agent".to_owned()], ..command.clone() };
        assert_eq!(fingerprint(&nothing, &config, folder.path()), None);
        let outside = CommandTarget { cwd: Some("..".to_owned()), ..command.clone() };
        assert_eq!(fingerprint(&outside, &config, folder.path()), None);
    }
}

//! The file of a program, and the variables that it needs to start.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

/// The variables that every program receives if they are set.
pub(crate) const ALWAYS: &[&str] = if cfg!(windows) { &WINDOWS } else { &["PATH", "HOME", "LANG", "TMPDIR"] };

/// Without them, programs do not start on Windows, or do not find their folders: `node` needs `SystemRoot`, npm's scripts
/// need `PATHEXT`.
const WINDOWS: [&str; 22] = [
    "PATH",
    "HOME",
    "LANG",
    "TMPDIR",
    "PATHEXT",
    "ComSpec",
    "SystemDrive",
    "SystemRoot",
    "windir",
    "TEMP",
    "TMP",
    "USERNAME",
    "USERPROFILE",
    "HOMEDRIVE",
    "HOMEPATH",
    "APPDATA",
    "LOCALAPPDATA",
    "ProgramData",
    "ProgramFiles",
    "ProgramFiles(x86)",
    "NUMBER_OF_PROCESSORS",
    "PROCESSOR_ARCHITECTURE",
];

/// What Windows takes for `PATHEXT` if it is not set.
const EXTENSIONS: &str = ".COM;.EXE;.BAT;.CMD";

/// Returns the file that starts if a user types `program`. On Windows, a name without an extension has one of `PATHEXT`: npm
/// installs `npx.cmd`, and the system itself adds only `.exe`. Elsewhere, and if there is no file, returns `program`.
///
/// `variable` returns the value of a variable of the program's environment.
pub(crate) fn file_of(program: PathBuf, variable: &dyn Fn(&str) -> Option<OsString>) -> PathBuf {
    if !cfg!(windows) {
        return program;
    }
    let extensions = variable("PATHEXT").filter(|list| !list.is_empty()).unwrap_or_else(|| EXTENSIONS.into());
    let folders = std::env::split_paths(&variable("PATH").unwrap_or_default()).collect::<Vec<_>>();
    search(&program, &folders, &extensions.to_string_lossy(), &Path::is_file).unwrap_or(program)
}

/// Returns the running program, even if its file was replaced since.
pub(crate) fn this_program() -> PathBuf {
    let same = Path::new("/proc/self/exe");
    if cfg!(target_os = "linux") && same.exists() {
        return same.to_owned();
    }
    std::env::current_exe().unwrap_or_else(|_| PathBuf::from(env!("CARGO_PKG_NAME")))
}

/// Whether two names are those of one variable.
pub(crate) fn is_variable(name: &str, other: &str) -> bool {
    if cfg!(windows) { name.eq_ignore_ascii_case(other) } else { name == other }
}

/// Returns the first file of this name, in the order of Windows: by folder, then by extension.
fn search(program: &Path, folders: &[PathBuf], extensions: &str, is_file: &dyn Fn(&Path) -> bool) -> Option<PathBuf> {
    let extensions: Vec<&str> = extensions.split(';').filter(|extension| extension.starts_with('.')).collect();
    let candidates = |path: PathBuf| {
        let with = |extension: &&str| {
            let mut name = path.clone().into_os_string();
            name.push(extension.to_ascii_lowercase());
            PathBuf::from(name)
        };
        let mut candidates: Vec<_> = extensions.iter().map(with).collect();
        if path.extension().is_some_and(|found| is_extension(found, &extensions)) {
            candidates.insert(0, path);
        }
        candidates
    };
    let is_name = program.components().count() == 1 && program.is_relative();
    let places = if is_name {
        // Another folder than the one of the suites would be a surprise, so relative entries are ignored.
        folders.iter().filter(|folder| folder.is_absolute()).map(|folder| folder.join(program)).collect()
    } else {
        vec![program.to_owned()]
    };
    places.into_iter().flat_map(candidates).find(|file| is_file(file))
}

fn is_extension(found: &OsStr, extensions: &[&str]) -> bool {
    let found = found.to_string_lossy();
    extensions.iter().any(|extension| extension[1..].eq_ignore_ascii_case(&found))
}

#[cfg(unix)]
#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(program: &str, expected: Option<&str>) {
        let files =
            ["/a/agent", "/a/node.exe", "/b/agent.cmd", "/b/node.exe", "/b/run.py", "/b/tool.v2.exe", "b/x.exe"];
        let folders = ["b", "/a", "/b"].map(PathBuf::from);
        let is_file = |path: &Path| files.iter().any(|file| Path::new(file) == path);
        let found = search(Path::new(program), &folders, ".COM;.EXE;.BAT;.CMD;x;", &is_file);
        assert_eq!(found.as_deref(), expected.map(Path::new), "{program}");
    }

    #[test]
    fn a_name_without_an_extension_has_one_of_pathext() {
        check("agent", Some("/b/agent.cmd"));
        check("node", Some("/a/node.exe"));
        check("node.EXE", None);
        check("node.exe", Some("/a/node.exe"));
        check("tool.v2", Some("/b/tool.v2.exe"));
        check("/b/agent", Some("/b/agent.cmd"));
        check("run.py", None);
        check("x", None);
    }

    #[test]
    fn other_systems_search_by_themselves() {
        let program = PathBuf::from("node");
        assert_eq!(file_of(program.clone(), &|_| Some("/a".into())), program);
        assert!(is_variable("PATH", "PATH") && !is_variable("Path", "PATH"));
    }
}

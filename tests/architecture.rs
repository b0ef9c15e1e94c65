//! Compares `ARCHITECTURE.md` with `src/`: a folder uses only what its row of the table allows.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use regex::Regex;

struct Row {
    may_use: BTreeSet<String>,
    everything_but: Option<BTreeSet<String>>,
    own_crates: BTreeSet<String>,
    most_lines: usize,
}

/// Lines that a folder may have above its row, until the rows have the numbers of all changes that are under way.
const SLACK: usize = 40;

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

fn table() -> BTreeMap<String, Row> {
    let page = fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap();
    let names = |cell: &str| -> BTreeSet<String> {
        static NAME: LazyLock<Regex> = LazyLock::new(|| Regex::new("`([a-z_]+)`").unwrap());
        NAME.captures_iter(cell).map(|found| found[1].to_owned()).collect()
    };
    let rows = page.lines().filter(|line| line.starts_with("| `"));
    rows.map(|line| {
        let cells: Vec<_> = line.trim_matches('|').split(" | ").collect();
        assert_eq!(cells.len(), 5, "a row has five cells: {line}");
        let everything_but = cells[2].trim().starts_with("everything but").then(|| names(cells[2]));
        let folder = names(cells[0]).pop_first().unwrap();
        let may_use = if everything_but.is_some() { BTreeSet::new() } else { names(cells[2]) };
        let most_lines = cells[4].trim().replace(',', "").parse().expect("the last cell is a number");
        (folder, Row { may_use, everything_but, own_crates: names(cells[3]), most_lines })
    })
    .collect()
}

/// The Rust files below a folder, without those of unit tests.
fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    collect(folder, &mut files);
    let test_modules: BTreeSet<PathBuf> = files.iter().flat_map(|file| test_modules(file)).collect();
    files.retain(|file| !file.ancestors().any(|part| test_modules.contains(part)));
    files
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
        if entry.is_dir() {
            collect(&entry, files);
        } else if entry.extension().is_some_and(|extension| extension == "rs") {
            files.push(entry);
        }
    }
}

/// The files and folders of the modules that a file declares under `#[cfg(test)]`: `mod tests;` of `a/mod.rs` is
/// `a/tests.rs` or `a/tests/`, that of `a/b.rs` is below `a/b/`.
fn test_modules(file: &Path) -> Vec<PathBuf> {
    static DECLARED: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"(?m)^#\[cfg\(.*\btest\b.*\)\]\n(?:#\[.*\]\n)*(?:pub(?:\(.*\))? )?mod (\w+);").unwrap()
    });
    let text = fs::read_to_string(file).unwrap();
    let is_root = matches!(file.file_name().and_then(|name| name.to_str()), Some("mod.rs" | "lib.rs" | "main.rs"));
    let folder = if is_root { file.parent().unwrap().to_owned() } else { file.with_extension("") };
    DECLARED
        .captures_iter(&text)
        .flat_map(|found| [folder.join(&found[1]), folder.join(format!("{}.rs", &found[1]))])
        .collect()
}

/// The code of a file without comments and without its unit tests, which are at its end.
fn code(path: &Path) -> String {
    let text = fs::read_to_string(path).unwrap();
    static TESTS: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"(?m)^#\[cfg\(.*\btest\b.*\)\]\nmod \w+ \{").unwrap());
    let end = TESTS.find(&text).map_or(text.len(), |found| found.start());
    text[..end].lines().filter(|line| !line.trim_start().starts_with("//")).collect::<Vec<_>>().join("\n")
}

/// The lines of product code of a file: without blank lines, comments, and the tests at its end.
fn product_lines(file: &Path) -> usize {
    let name = name(file);
    if name.contains("/tests/") || name.ends_with("/tests.rs") {
        return 0;
    }
    static TESTS: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"(?m)^ *#\[cfg\(test\)\]\n *mod \w+ \{").unwrap());
    let text = fs::read_to_string(file).unwrap();
    let end = TESTS.find(&text).map_or(text.len(), |found| found.start());
    let lines = text[..end].lines().map(str::trim);
    lines.filter(|line| !line.is_empty() && !line.starts_with("//")).count()
}

/// The path of a file below `src/`, with `/` between its parts.
fn name(file: &Path) -> String {
    let path = file.strip_prefix(root().join("src")).unwrap();
    path.components().map(|part| part.as_os_str().to_string_lossy()).collect::<Vec<_>>().join("/")
}

/// The product files below `src/` whose code matches.
fn uses(pattern: &str) -> Vec<String> {
    let pattern = Regex::new(pattern).unwrap();
    let files = sources(&root().join("src"));
    files.iter().filter(|file| pattern.is_match(&code(file))).map(|file| name(file)).collect()
}

/// The folders of this crate that a piece of code names: `crate::text::Span`, `crate::{text, syntax}`.
fn folders_used(code: &str) -> BTreeSet<String> {
    static ONE: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"\bcrate::([a-z_]+)").unwrap());
    static SEVERAL: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"\bcrate::\{([^}]*)\}").unwrap());
    let names = ONE.captures_iter(code).map(|found| found[1].to_owned());
    let grouped = SEVERAL.captures_iter(code).flat_map(|found| {
        found[1].split(',').map(|name| name.trim().split("::").next().unwrap().to_owned()).collect::<Vec<_>>()
    });
    names.chain(grouped).collect()
}

#[test]
fn every_folder_uses_only_what_its_row_allows() {
    let table = table();
    let mut faults = Vec::new();
    for (folder, row) in &table {
        let path = root().join("src").join(folder);
        assert!(path.is_dir(), "ARCHITECTURE.md has a row for src/{folder}, which does not exist");
        for file in sources(&path) {
            for used in folders_used(&code(&file)).into_iter().filter(|used| used != folder && table.contains_key(used))
            {
                let allowed =
                    row.everything_but.as_ref().map_or_else(|| row.may_use.contains(&used), |not| !not.contains(&used));
                if !allowed {
                    faults.push(format!("{} uses crate::{used}", file.strip_prefix(root()).unwrap().display()));
                }
            }
        }
    }
    assert!(faults.is_empty(), "not allowed by ARCHITECTURE.md:\n{}", faults.join("\n"));
}

#[test]
fn every_folder_has_its_row() {
    let table = table();
    let folders =
        fs::read_dir(root().join("src")).unwrap().map(|entry| entry.unwrap().path()).filter(|path| path.is_dir());
    for folder in folders.filter(|folder| !sources(folder).is_empty()) {
        let name = folder.file_name().unwrap().to_string_lossy().into_owned();
        assert!(table.contains_key(&name), "ARCHITECTURE.md has no row for src/{name}");
    }
}

#[test]
fn no_folder_is_longer_than_its_row_allows() {
    let mut faults = Vec::new();
    for (folder, row) in table() {
        let mut files = Vec::new();
        collect(&root().join("src").join(&folder), &mut files);
        let lines: usize = files.iter().map(|file| product_lines(file)).sum();
        if lines > row.most_lines + SLACK {
            faults.push(format!("src/{folder} has {lines} lines of code; its row allows {}", row.most_lines));
        }
    }
    assert!(
        faults.is_empty(),
        "{}\nRemove or shorten code in the folder; do not raise the number. If code moved from another folder, lower the \
         number of that folder by as much.",
        faults.join("\n")
    );
}

/// The first cycle that leads from `node` back to it.
fn cycle<'a>(node: &'a str, edges: &'a BTreeMap<String, BTreeSet<String>>, path: &mut Vec<&'a str>) -> Option<String> {
    if path.contains(&node) {
        return (path[0] == node).then(|| format!("{} → {node}", path.join(" → ")));
    }
    path.push(node);
    let found = edges.get(node).into_iter().flatten().find_map(|next| cycle(next, edges, path));
    path.pop();
    found
}

fn assert_acyclic(edges: &BTreeMap<String, BTreeSet<String>>) {
    for node in edges.keys() {
        assert_eq!(cycle(node, edges, &mut Vec::new()), None);
    }
}

#[test]
fn a_cycle_of_three_is_found() {
    let edges = |list: &[(&str, &str)]| {
        let to = |from: &str| list.iter().filter(|(one, _)| *one == from).map(|(_, to)| (*to).to_owned()).collect();
        list.iter().map(|(from, _)| ((*from).to_owned(), to(from))).collect::<BTreeMap<_, _>>()
    };
    let circle = edges(&[("a", "b"), ("b", "c"), ("c", "a"), ("c", "d")]);
    assert_eq!(cycle("a", &circle, &mut Vec::new()), Some("a → b → c → a".to_owned()));
    assert_eq!(cycle("a", &edges(&[("a", "b"), ("b", "c"), ("a", "c")]), &mut Vec::new()), None);
}

#[test]
fn the_rows_of_the_table_have_no_cycle() {
    let table = table();
    let mut edges = BTreeMap::new();
    for (folder, row) in &table {
        for used in &row.may_use {
            assert!(table.contains_key(used), "{folder} may use {used}, which has no row");
        }
        edges.insert(folder.clone(), row.may_use.clone());
    }
    assert_acyclic(&edges);
}

#[test]
fn the_rooms_of_the_server_have_no_cycle() {
    let lsp = root().join("src/lsp");
    let used = Regex::new(r"\bcrate::lsp::([a-z_]+)").unwrap();
    let mut edges = BTreeMap::new();
    for entry in fs::read_dir(&lsp).unwrap().map(|entry| entry.unwrap().path()) {
        let room = entry.file_name().unwrap().to_string_lossy().into_owned();
        if room == "mod.rs" {
            continue;
        }
        assert!(entry.is_dir(), "src/lsp has only rooms and mod.rs, not {room}");
        let mut rooms = BTreeSet::new();
        for file in sources(&entry) {
            rooms.extend(used.captures_iter(&code(&file)).map(|found| found[1].to_owned()));
        }
        rooms.remove(&room);
        edges.insert(room, rooms);
    }
    assert!(edges.contains_key("features"));
    assert_acyclic(&edges);
}

/// What several lints share knows no lint.
#[test]
fn the_facts_of_lints_know_no_rule() {
    let rules = uses(r"\blints::rules::|\bsuper::(?:super::)+rules::");
    let of_facts: Vec<_> = rules.iter().filter(|file| file.starts_with("lints/facts/")).collect();
    assert_eq!(of_facts, [""; 0]);
}

#[test]
fn the_folders_below_the_runner_are_synchronous() {
    let synchronous =
        ["text/", "syntax/", "suite/", "schema/", "pattern/", "lints/", "checks/", "verdict/", "analysis/"];
    let asynchronous = uses(r"\basync (?:fn|move|\{)|\btokio::|\.await\b");
    for folder in synchronous {
        assert!(!asynchronous.iter().any(|file| file.starts_with(folder)), "{folder} is synchronous: {asynchronous:?}");
    }
}

/// `files::Reader` reads regular files only, up to a limit. A pipe blocks, a device has no end, and a file may have any size.
#[test]
fn files_are_opened_for_reading_in_one_place() {
    let opened = uses(r"\bfs::read(?:_to_string)?\b|\bFile::open\b");
    let others: BTreeSet<_> = opened.iter().filter(|file| !file.starts_with("files/")).map(String::as_str).collect();
    // A person may name a pipe for a suite. The others read what the system and this program write.
    let allowed = ["cli/input/mod.rs", "processes/marked.rs", "processes/unix.rs", "targets/browser/home.rs"];
    assert_eq!(others, BTreeSet::from(allowed));
}

/// Editors see the transcripts and runs inside of the workspace only.
#[test]
fn the_server_reads_and_writes_inside_of_the_workspace() {
    let stores = uses(r"\bStore::new\(|\bRuns::(?:new|of_workspace)\(|\bKeptRun::read\(");
    let of_server: Vec<_> = stores.iter().filter(|file| file.starts_with("lsp/")).collect();
    assert_eq!(of_server, ["lsp/session/suites.rs"]);
}

#[test]
fn fenced_crates_are_used_in_their_folders_alone() {
    let table = table();
    let mut faults = Vec::new();
    let fenced: BTreeSet<_> = table.values().flat_map(|row| &row.own_crates).collect();
    for fenced in fenced {
        let owners: Vec<_> =
            table.iter().filter(|(_, row)| row.own_crates.contains(fenced)).map(|(it, _)| it).collect();
        let used = Regex::new(&format!(r"(?m)(?:^|[^:\w]){fenced}::|^use {fenced}\b")).unwrap();
        for file in sources(&root().join("src")) {
            let place = file.strip_prefix(root().join("src")).unwrap();
            if !owners.iter().any(|owner| place.starts_with(owner)) && used.is_match(&code(&file)) {
                faults.push(format!("src/{} uses {fenced}, which belongs to {owners:?}", place.display()));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// The packages that are part of the program: those that Cargo.lock lists for its dependencies, and theirs.
fn linked_packages() -> BTreeSet<String> {
    let lock: toml::Table = toml::from_str(&fs::read_to_string(root().join("Cargo.lock")).unwrap()).unwrap();
    let manifest: toml::Table = toml::from_str(&fs::read_to_string(root().join("Cargo.toml")).unwrap()).unwrap();
    let mut needs: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for package in lock["package"].as_array().unwrap() {
        let list = package.get("dependencies").and_then(|list| list.as_array()).into_iter().flatten();
        // A name with a version: `toml 1.0.0`.
        let names = list.map(|name| name.as_str().unwrap().split(' ').next().unwrap());
        needs.entry(package["name"].as_str().unwrap()).or_default().extend(names);
    }
    let targets = manifest.get("target").and_then(|targets| targets.as_table()).into_iter().flatten();
    let tables = std::iter::once(&manifest["dependencies"]).chain(targets.map(|(_, target)| &target["dependencies"]));
    let mut open: Vec<&str> = tables.flat_map(|table| table.as_table().unwrap().keys().map(String::as_str)).collect();
    let mut linked = BTreeSet::new();
    while let Some(name) = open.pop() {
        if linked.insert(name.to_owned()) {
            open.extend(needs.get(name).unwrap_or_else(|| panic!("{name} is not in Cargo.lock")));
        }
    }
    linked
}

/// `SECURITY.md#privacy` promises that the program opens no connection.
#[test]
fn no_network_client_is_linked() {
    let linked = linked_packages();
    assert!(linked.contains("tokio") && linked.contains("serde_json"), "{linked:?}");
    let clients = "reqwest hyper ureq curl curl-sys isahc attohttpc minreq surf awc h2 quinn rustls native-tls openssl \
                   openssl-sys tungstenite tokio-tungstenite hickory-resolver tonic sentry opentelemetry";
    let found: Vec<_> = clients.split(' ').filter(|client| linked.contains(*client)).collect();
    assert!(found.is_empty(), "SECURITY.md#privacy promises that no network client is linked: {found:?}");
    let manifest: toml::Table = toml::from_str(&fs::read_to_string(root().join("Cargo.toml")).unwrap()).unwrap();
    let features = manifest["dependencies"]["tokio"]["features"].as_array().unwrap();
    assert!(!features.iter().any(|feature| matches!(feature.as_str(), Some("net" | "full"))), "{features:?}");
    let sockets = uses(r"\b(?:TcpStream|TcpListener|UdpSocket|ToSocketAddrs)\b");
    assert!(sockets.is_empty(), "{sockets:?}");
}

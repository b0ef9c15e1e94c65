//! What the program prints about itself.

use std::fmt::Write as _;
use std::process::Command;

use super::page::block;

/// The tables of formats and exit statuses.
pub(crate) fn page(present: &str) -> String {
    let commands = commands();
    for command in &commands {
        assert!(present.contains(&format!("`eval-ls {command}")), "docs/cli.md has no line for `{command}`");
    }
    let page = block(present, "formats", &format!("\n{}", format_table(&commands)));
    block(&page, "exit-statuses", &format!("\n{}", exit_status_table()))
}

/// The commands that `--help` lists, in its order.
fn commands() -> Vec<String> {
    let help = output(&["--help"]);
    let (_, listed) = help.split_once("\nStart\n").expect("the first group is called so");
    let (listed, _) = listed.split_once("\nExit status\n").expect("the exit statuses follow the commands");
    let (groups, others) = listed.split_once("\nOther\n").expect("the last group is called so");
    let in_groups = groups.lines().filter_map(|line| line.strip_prefix("  ")?.split_whitespace().next());
    let others = others.split([',', '\n', ' ']).filter(|name| !name.is_empty());
    in_groups.chain(others).map(str::to_owned).collect()
}

/// Each format with the commands that have it.
fn format_table(commands: &[String]) -> String {
    let mut rows: Vec<(String, String, Vec<String>)> = Vec::new();
    for command in commands {
        for (name, text) in formats(command) {
            match rows.iter_mut().find(|(known, ..)| *known == name) {
                Some((.., of)) => of.push(format!("`{command}`")),
                None => rows.push((name, text, vec![format!("`{command}`")])),
            }
        }
    }
    let mut table = String::from("| `--format` | output | commands |\n| --- | --- | --- |\n");
    for (name, text, of) in rows {
        writeln!(table, "| `{name}` | {} | {} |", text.replace('|', "\\|"), of.join(", ")).unwrap();
    }
    table
}

pub(crate) fn output(arguments: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_eval-ls")).args(arguments).output().unwrap();
    assert!(output.status.success(), "eval-ls {arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// The formats of a command with their help texts; none if it has no `--format`.
pub(crate) fn formats(command: &str) -> Vec<(String, String)> {
    let help = output(&[command, "--help"]);
    let Some(option) = help.find("--format <FORMAT>") else { return Vec::new() };
    let values = help[option..].split("Possible values:\n").nth(1).unwrap().split("\n\n").next().unwrap();
    let mut formats: Vec<(String, String)> = Vec::new();
    for line in values.lines().map(str::trim) {
        match line.strip_prefix("- ").and_then(|line| line.split_once(':')) {
            Some((name, text)) => formats.push((name.to_owned(), text.trim().to_owned())),
            None if line.is_empty() || line.starts_with('[') => break,
            None => {
                // The help text is wrapped.
                let (_, text) = formats.last_mut().unwrap();
                text.push(' ');
                text.push_str(line);
            }
        }
    }
    assert!(!formats.is_empty(), "`{command} --help` lists no formats");
    formats
}

fn exit_status_table() -> String {
    let help = output(&["--help"]);
    let section = help.split("\nExit status\n").nth(1).unwrap().split("\n\n").next().unwrap();
    let mut table = String::from("| exit status | meaning |\n| --- | --- |\n");
    for line in section.lines() {
        let (status, meaning) = line.trim().split_once("  ").unwrap_or_else(|| panic!("{help}"));
        writeln!(table, "| {status} | {} |", meaning.trim().replace('|', "\\|")).unwrap();
    }
    table
}

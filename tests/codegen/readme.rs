//! The counts and tables in the README.

use std::fmt::Write as _;

use eval_ls::testing::LINTS;

use super::{program, replace_between};

pub(crate) fn page(present: &str) -> String {
    let page = block(present, "lint-count", &LINTS.len().to_string());
    let page = block(&page, "formats", &format!("\n{}", formats()));
    block(&page, "exit-statuses", &format!("\n{}", exit_statuses()))
}

fn block(page: &str, name: &str, new: &str) -> String {
    replace_between(page, &format!("<!-- codegen: {name} -->"), "<!-- end -->", new)
}

fn formats() -> String {
    let mut table = String::from("| option | output |\n| --- | --- |\n");
    for command in ["check", "run"] {
        for (name, text) in program::formats(command) {
            writeln!(table, "| `{command} --format {name}` | {} |", text.replace('|', "\\|")).unwrap();
        }
    }
    table
}

fn exit_statuses() -> String {
    let mut table = String::from("| exit status | meaning |\n| --- | --- |\n");
    for (status, meaning) in program::exit_statuses() {
        writeln!(table, "| {status} | {} |", meaning.replace('|', "\\|")).unwrap();
    }
    table
}

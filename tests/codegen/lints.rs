//! The page of the lints, and their levels in the schema of `eval-ls.toml`.

use std::fmt::Write as _;

use eval_ls::testing::{LINTS, Lint};
use serde_json::json;

use super::replace_between;

pub(crate) fn page(_: &str) -> String {
    let mut page = String::from(
        "# Lints\n\n\
         Each lint has a page, which `eval-ls explain LINT` prints. `[lints]` in `eval-ls.toml` sets its level: `error`, `warning`,\n\
         `hint` or `off`. A *safe* fix keeps the meaning of a suite; `eval-ls check --fix` applies safe fixes.\n\n\
         <!-- Generated from src/lints/rules by `cargo codegen`. -->\n\n\
         | lint | level | finds |\n| --- | --- | --- |\n",
    );
    for lint in LINTS {
        let (name, level) = (lint.name, lint.level.as_str());
        writeln!(page, "| [`{name}`](lints/{name}.md) | {level} | {} |", lint.summary()).unwrap();
    }
    page
}

/// The page of each lint, by its path.
pub(crate) fn pages() -> Vec<(String, String)> {
    let page = |lint: &&Lint| {
        let (head, body) = lint.markdown().split_once("\n\n").map(|(a, b)| (a.to_owned(), b.to_owned())).unwrap();
        let level = lint.level.as_str();
        let page = format!(
            "{head}\n\n<!-- Generated from src/lints/rules by `cargo codegen`. -->\n\n{}\n\n\
             Default level: `{level}`. [All lints](../lints.md) · [Levels](../configuration.md#lints)\n",
            body.trim_end()
        );
        (format!("docs/lints/{}.md", lint.name), page)
    };
    LINTS.iter().map(page).collect()
}

#[test]
fn every_page_belongs_to_a_lint() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/lints");
    for entry in std::fs::read_dir(folder).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        let known = LINTS.iter().any(|lint| name == format!("{}.md", lint.name));
        assert!(known, "docs/lints/{name} belongs to no lint; remove it");
    }
}

pub(crate) fn schema(present: &str) -> String {
    let entries: Vec<_> = LINTS
        .iter()
        .map(|lint| {
            // A description is plain text; the pages and `explain` show the Markdown.
            let description = json!(lint.summary().replace('`', ""));
            let level = lint.level.as_str();
            // What these find cannot be judged.
            let is_fixed = ["invalid-json", "wrong-type"].contains(&lint.name);
            let levels = if is_fixed { "" } else { ", \"warning\", \"hint\", \"off\"" };
            format!(
                "        \"{}\": {{\n          \"description\": {description},\n          \"type\": \"string\",\n          \
                 \"enum\": [\"error\"{levels}],\n          \"default\": \"{level}\"\n        }}",
                lint.name
            )
        })
        .collect();
    let start = "\"examples\": [{ \"undefined-ui-hint\": \"off\" }],\n      \"properties\": {\n";
    replace_between(present, start, "\n      }\n", &entries.join(",\n"))
}

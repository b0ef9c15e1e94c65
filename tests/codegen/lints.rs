//! The page of the lints, and their levels in the schema of `eval-ls.toml`.

use std::fmt::Write as _;

use eval_ls::testing::LINTS;
use serde_json::json;

use super::replace_between;

pub(crate) fn page(_: &str) -> String {
    let mut page = String::from(
        "# Lints\n\n\
         `eval-ls explain LINT` prints the page of a lint. `[lints]` in `eval-ls.toml` sets its level: `error`, `warning`,\n\
         `hint` or `off`. A *safe* fix keeps the meaning of a suite; `eval-ls check --fix` applies safe fixes.\n\n\
         <!-- Generated from src/lints/rules by `cargo codegen`. -->\n\n\
         | lint | level | finds |\n| --- | --- | --- |\n",
    );
    for lint in LINTS {
        let (name, level) = (lint.name, lint.level.as_str());
        writeln!(page, "| [`{name}`](#{name}) | {level} | {} |", lint.summary()).unwrap();
    }
    for lint in LINTS {
        // Headings of the page go one level down, below the lint's name.
        let body = lint
            .markdown()
            .lines()
            .map(|line| if line.starts_with('#') { format!("#{line}") } else { line.to_owned() })
            .collect::<Vec<_>>()
            .join("\n");
        write!(page, "\n{}\n", body.trim_end()).unwrap();
    }
    page
}

pub(crate) fn schema(present: &str) -> String {
    let entries: Vec<_> = LINTS
        .iter()
        .map(|lint| {
            // A description is plain text; the pages and `explain` show the Markdown.
            let description = json!(lint.summary().replace('`', ""));
            let level = lint.level.as_str();
            format!(
                "        \"{}\": {{\n          \"description\": {description},\n          \"type\": \"string\",\n          \
                 \"enum\": [\"error\", \"warning\", \"hint\", \"off\"],\n          \"default\": \"{level}\"\n        }}",
                lint.name
            )
        })
        .collect();
    let start = "\"examples\": [{ \"undefined-ui-hint\": \"off\" }],\n      \"properties\": {\n";
    replace_between(present, start, "\n      }\n", &entries.join(",\n"))
}

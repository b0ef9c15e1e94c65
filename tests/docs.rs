//! Keeps `docs/lints.md` what the lints say of themselves. `UPDATE_DOCS=1 cargo test --test docs` writes it anew.

use std::fmt::Write as _;
use std::path::Path;

use eval_ls::lints::LINTS;

fn page() -> String {
    let mut page = String::from(
        "# The lints\n\n\
         Each names a fault. `eval-ls explain LINT` prints its page, and `[lints]` in `eval-ls.toml` sets its level: `error`,\n\
         `warning`, `hint` or `off`. Fixes that are *safe* keep the meaning of a suite; `eval-ls check --fix` applies them.\n\n\
         <!-- Made from the lints' own pages in src/lints; `UPDATE_DOCS=1 cargo test --test docs` writes it anew. -->\n\n\
         | lint | level | finds |\n| --- | --- | --- |\n",
    );
    for lint in LINTS {
        let (name, level) = (lint.name, lint.level.as_str());
        writeln!(page, "| [`{name}`](#{name}) | {level} | {} |", lint.summary()).unwrap();
    }
    for lint in LINTS {
        // The page's headings go one level down, below the lint's name.
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

#[test]
fn the_page_of_lints_is_what_the_lints_say() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/lints.md");
    if std::env::var_os("UPDATE_DOCS").is_some() {
        std::fs::write(&path, page()).unwrap();
    }
    let kept = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(kept == page(), "docs/lints.md is not what the lints say: run UPDATE_DOCS=1 cargo test --test docs");
}

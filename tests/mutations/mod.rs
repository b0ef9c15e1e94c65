//! The mutation study. Each operator makes one kind of mistake in clean suites, and a table shows how the lints react.
//! `tests/mutations/table.md` is the snapshot; `UPDATE_TABLE=1 cargo test --test integration mutations` writes it.

mod brackets;
mod edits;
mod keys;
mod patterns;
mod safety;
mod scoring;
mod source;
mod study;
mod syntax;
mod values;
mod worth;

use std::collections::HashSet;
use std::path::Path;

use study::{Operator, Study};

fn operators() -> Vec<Operator> {
    [
        keys::operators(),
        values::operators(),
        syntax::operators(),
        patterns::operators(),
        scoring::operators(),
        worth::operators(),
    ]
    .concat()
}

#[test]
fn the_table_of_mistakes_is_up_to_date_and_meets_its_targets() {
    let operators = operators();
    let names: HashSet<_> = operators.iter().map(|operator| operator.name).collect();
    assert!(names.len() == operators.len() && names.len() >= 100, "{} names are unique", names.len());
    let study = Study::run(&operators);
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/mutations/table.md");
    let table = study.table();
    if std::env::var_os("UPDATE_TABLE").is_some() {
        std::fs::write(&path, &table).unwrap();
    }
    study.assert_targets();
    let kept = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        kept == table,
        "the table changed: run UPDATE_TABLE=1 cargo test --test integration mutations, and review the difference"
    );
}

//! The target of cargo-fuzz: runs the check that `EVAL_LS_CHECK` names on each input.

#![no_main]

#[path = "../../tests/fuzz/checks.rs"]
mod checks;

use std::sync::LazyLock;

use checks::{CHECKS, Check};

static CHECK: LazyLock<Check> = LazyLock::new(|| {
    let name = std::env::var("EVAL_LS_CHECK").unwrap_or_default();
    let known = CHECKS.iter().find(|(known, _)| *known == name);
    let names: Vec<_> = CHECKS.iter().map(|(name, _)| *name).collect();
    known.unwrap_or_else(|| panic!("set EVAL_LS_CHECK to one of {}", names.join(", "))).1
});

libfuzzer_sys::fuzz_target!(|input: &[u8]| CHECK(input));

//! Builds the bundled PCRE2. Never asks pkg-config, and reads no environment variables of PCRE2.

use std::env;
use std::path::Path;

/// The sources; `pcre2_ucptables.c` is included by `pcre2_tables.c`.
const SOURCES: [&str; 24] = [
    "auto_possess",
    "chartables",
    "chkdint",
    "compile",
    "compile_class",
    "config",
    "context",
    "error",
    "extuni",
    "find_bracket",
    "maketables",
    "match",
    "match_data",
    "newline",
    "ord2utf",
    "pattern_info",
    "script_run",
    "string_utils",
    "study",
    "substring",
    "tables",
    "ucd",
    "valid_utf",
    "xclass",
];

fn main() {
    let folder = Path::new("pcre2");
    println!("cargo::rerun-if-changed=pcre2");
    let mut build = cc::Build::new();
    build
        .include(folder)
        .define("HAVE_CONFIG_H", "1")
        .define("HAVE_MEMMOVE", "1")
        .define("HAVE_STDLIB_H", "1")
        .define("PCRE2_CODE_UNIT_WIDTH", "8")
        .define("PCRE2_STATIC", "1")
        .define("STDC_HEADERS", "1")
        .define("SUPPORT_PCRE2_8", "1")
        .define("SUPPORT_UNICODE", "1");
    #[expect(clippy::disallowed_methods, reason = "cargo names the target system in the environment")]
    let system = env::var("CARGO_CFG_TARGET_OS");
    if system.is_ok_and(|system| system == "windows") {
        build.define("HAVE_WINDOWS_H", "1");
    }
    for source in SOURCES {
        build.file(folder.join(format!("pcre2_{source}.c")));
    }
    build.compile("eval_ls_pcre2");
}

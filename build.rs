//! Stops the build if the crate `pcre2-sys` would link a PCRE2 of the system that is older than the functions that this program calls.
//!
//! The linker would report them only after some minutes. The conditions are those of the build script of `pcre2-sys`.

#![expect(clippy::disallowed_methods, reason = "cargo describes the build in the environment")]

use std::env;

const OLDEST: (u32, u32) = (10, 42);

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed=PCRE2_SYS_STATIC");
    let builds_its_own = match env::var("PCRE2_SYS_STATIC").as_deref() {
        Ok("1") => true,
        Ok("0") => false,
        _ => env::var("TARGET").is_ok_and(|target| target.contains("musl")),
    };
    if !builds_its_own
        && let Ok(library) = pkg_config::Config::new().cargo_metadata(false).probe("libpcre2-8")
        && version(&library.version) < OLDEST
    {
        println!(
            "cargo::error=the system's PCRE2 {} is older than {}.{}; repeat the command with PCRE2_SYS_STATIC=1, \
             for example `PCRE2_SYS_STATIC=1 cargo install eval-ls`",
            library.version, OLDEST.0, OLDEST.1
        );
    }
}

/// The first two numbers of a version such as `10.45-RC1`.
fn version(text: &str) -> (u32, u32) {
    let mut numbers = text.split(|not: char| !not.is_ascii_digit()).map(|number| number.parse().unwrap_or(0));
    (numbers.next().unwrap_or(0), numbers.next().unwrap_or(0))
}

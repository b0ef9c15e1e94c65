//! Stops the build if the crate `pcre2-sys` would link the PCRE2 of the system.
//!
//! That library can be of another version, which reads patterns differently, or it lacks functions, which the linker reports
//! only after some minutes. The conditions are those of the build script of `pcre2-sys`.

#![expect(clippy::disallowed_methods, reason = "cargo describes the build in the environment")]

use std::env;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed=PCRE2_SYS_STATIC");
    let builds_its_own = match env::var("PCRE2_SYS_STATIC").as_deref() {
        Ok("1") => true,
        Ok("0") => false,
        _ => env::var("TARGET").is_ok_and(|target| target.contains("musl")),
    };
    if !builds_its_own && let Ok(library) = pkg_config::Config::new().cargo_metadata(false).probe("libpcre2-8") {
        println!(
            "cargo::error=this build would link the system's PCRE2 {}, which can read patterns differently; \
             repeat the command with PCRE2_SYS_STATIC=1, for example `PCRE2_SYS_STATIC=1 cargo install eval-ls`",
            library.version
        );
    }
}

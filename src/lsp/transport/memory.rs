//! The addresses that the allocator reserves.

/// Limits the arenas of the allocator of glibc. It reserves one of 64 MiB for each thread, so a server with all its threads
/// would reserve a gibibyte, which is more than some systems allow a process. Must be called before threads start.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
#[expect(unsafe_code, reason = "glibc has no other way, except for the environment")]
pub(in crate::lsp) fn limit_arenas() {
    const ARENAS: i32 = 4;
    // SAFETY: this sets an option of the allocator, and no other thread exists yet.
    let _ = unsafe { libc::mallopt(libc::M_ARENA_MAX, ARENAS) };
}

/// Other allocators share their memory.
#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
pub(in crate::lsp) fn limit_arenas() {}

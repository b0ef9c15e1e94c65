//! Calls the library and ends with its exit status.

/// With the allocator of musl, `check` of 20,000 cases takes ten times as long, because its threads wait for each other. That of
/// glibc returns little memory to the system.
#[cfg(target_os = "linux")]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() {
    #[cfg(unix)]
    signals::survive_file_limits();
    #[cfg(target_os = "linux")]
    {
        // A server may be idle for hours. A command soon needs the memory again.
        let is_server = std::env::args_os().nth(1).is_some_and(|command| command == "lsp");
        allocators::return_free_memory_after(if is_server { 0 } else { 10 });
        allocators::limit_addresses();
    }
    std::process::exit(eval_ls::run());
}

#[cfg(target_os = "linux")]
#[allow(unsafe_code, reason = "allocators have no safe functions for options")]
mod allocators {
    use libc::{c_int, c_long};

    // The crate `mimalloc` has the library, but no functions for its options.
    unsafe extern "C" {
        fn mi_option_set_default(option: c_int, value: c_long);
    }

    /// `mi_option_purge_delay` of mimalloc 3, in milliseconds.
    const PURGE_DELAY: c_int = 15;

    /// `mi_option_arena_reserve`, in KiB.
    const ARENA_RESERVE: c_int = 23;

    /// Lets the allocator return free memory to the system after so many milliseconds, unless `MIMALLOC_PURGE_DELAY` is set.
    pub(crate) fn return_free_memory_after(milliseconds: i32) {
        // SAFETY: the function accepts any option and any value.
        unsafe { mi_option_set_default(PURGE_DELAY, milliseconds.into()) };
    }

    /// Lets the allocator reserve fewer addresses than a gibibyte at once. Some systems allow a process no more. C code, such as
    /// PCRE2, uses the allocator of glibc, which would reserve 64 MiB for each thread. Must be called before threads start.
    pub(crate) fn limit_addresses() {
        const RESERVED_KIB: i32 = 64 << 10;
        // SAFETY: the function accepts any option and any value.
        unsafe { mi_option_set_default(ARENA_RESERVE, RESERVED_KIB.into()) };
        #[cfg(target_env = "gnu")]
        // SAFETY: this sets an option of the allocator, and no other thread exists yet.
        let _ = unsafe { libc::mallopt(libc::M_ARENA_MAX, 2) };
    }
}

#[cfg(unix)]
#[allow(unsafe_code, reason = "no crate sets a signal without a runtime")]
mod signals {
    /// Lets a write beyond the largest size of a file (`ulimit -f`) fail with an error that is reported. Without a handler, the
    /// signal ends the process without a word. Programs that this one starts do not inherit a handler.
    pub(crate) fn survive_file_limits() {
        extern "C" fn nothing(_: libc::c_int) {}
        let handler = nothing as extern "C" fn(libc::c_int);
        // SAFETY: the handler does nothing, so it is safe at any point of the program.
        unsafe { libc::signal(libc::SIGXFSZ, handler as libc::sighandler_t) };
    }
}

//! Calls the library and ends with its exit status.

/// Releases for Linux are linked with musl. With the allocator of musl, `check` of 20,000 cases takes ten times as long, because
/// its threads wait for each other.
#[cfg(target_env = "musl")]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// `mi_option_purge_delay` of mimalloc 3. The crate has no constant for it.
#[cfg(target_env = "musl")]
const PURGE_DELAY: libmimalloc_sys::mi_option_t = 15;

/// Lets the allocator return free memory to the system after so many milliseconds, unless `MIMALLOC_PURGE_DELAY` is set.
#[cfg(target_env = "musl")]
#[allow(unsafe_code, reason = "the crate has no safe function for options")]
fn return_free_memory_after(milliseconds: i32) {
    // SAFETY: the function accepts any option and any value.
    unsafe { libmimalloc_sys::mi_option_set_default(PURGE_DELAY, milliseconds.into()) };
}

fn main() {
    #[cfg(target_env = "musl")]
    {
        // A server may be idle for hours. A command soon needs the memory again.
        let is_server = std::env::args_os().nth(1).is_some_and(|command| command == "lsp");
        return_free_memory_after(if is_server { 0 } else { 10 });
    }
    std::process::exit(eval_ls::run());
}

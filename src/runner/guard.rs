//! Turns a panic while judging a case into an error of that case.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Calls `work`. The error is the message of a panic.
pub(super) fn guarded<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|panic| message(&*panic))
}

/// The message of a panic.
pub(super) fn message(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().copied().or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    format!("internal error in this case ({}); please report it", text.unwrap_or("no message"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_becomes_a_reason() {
        assert_eq!(guarded(|| 1), Ok(1));
        for (work, why) in [
            ((|| panic!("lost {}", 1)) as fn(), "lost 1"),
            (|| panic!("lost"), "lost"),
            (|| std::panic::panic_any(1), "no message"),
        ] {
            assert_eq!(guarded(work), Err(format!("internal error in this case ({why}); please report it")));
        }
    }
}

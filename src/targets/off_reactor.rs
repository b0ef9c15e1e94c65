use std::panic::resume_unwind;

use tokio::task::spawn_blocking;

/// Does slow work, such as reading a disk, on a separate thread. A panic in it continues in the caller.
pub(crate) async fn off_reactor<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> T {
    match spawn_blocking(work).await {
        Ok(done) => done,
        Err(error) => match error.try_into_panic() {
            Ok(panic) => resume_unwind(panic),
            // Only a runtime that shuts down drops work, and then nothing waits for it.
            Err(_) => std::future::pending().await,
        },
    }
}

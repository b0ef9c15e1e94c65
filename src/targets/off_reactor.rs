use std::panic::resume_unwind;

use tokio::task::spawn_blocking;

/// Does work that takes long, or waits for a disk, where it holds up nobody else. A panic in it goes on in the caller.
pub(crate) async fn off_reactor<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> T {
    match spawn_blocking(work).await {
        Ok(done) => done,
        Err(error) => match error.try_into_panic() {
            Ok(panic) => resume_unwind(panic),
            // Only a runtime that is being shut down gives work up, and then nobody waits for it.
            Err(_) => std::future::pending().await,
        },
    }
}

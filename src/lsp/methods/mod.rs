//! What the server does when a client asks: one handler for each method and command.

mod capabilities;
mod in_process;
mod requests;
#[cfg(feature = "program")]
mod server;

pub use in_process::InProcessServer;
#[cfg(feature = "program")]
pub(crate) use server::run;

//! What the server does when a client asks: one handler for each method and command.

mod capabilities;
mod in_process;
#[cfg(feature = "program")]
mod pages;
#[cfg(feature = "program")]
mod serve;
#[cfg(feature = "program")]
mod server;

pub use in_process::InProcessServer;
#[cfg(feature = "program")]
pub(crate) use serve::run;

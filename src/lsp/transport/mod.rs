//! Messages over a pair of byte streams with JSON-RPC, for the duration of the session.
//!
//! `tower-lsp-server` routes a message to its handler and tracks the states of the protocol. This module does
//! everything between the bytes and that service, and replaces the library's own loop, because a session must survive
//! every message of a client and every failure of a handler:
//!
//! ```text
//! input ─► frame ─► message ─► session ─► outbox ─► output
//!          └── reader thread ──┘  task     └─ writer thread
//! ```
//!
//! * A message that cannot be read is answered with an error if possible, and skipped.
//! * Messages take effect in order: each handler runs up to its first pending `.await` before the next message is
//!   handled. The order applies up to that point, and not to the rest of the handler, unless it holds the next messages
//!   (see [`hold`]).
//! * A handler that panics is answered with error −32603.
//! * A waiting handler, or a client that stops reading or answering, does not prevent the next message from being read.
//!   All handlers share one task, so long work belongs in a separate thread.

mod answer;
mod frame;
mod message;
mod outbox;
mod session;
mod tolerance;

use std::io::{self, Read, Write};
use std::thread;

use tokio::sync::mpsc;
use tower_lsp_server::{ClientSocket, LanguageServer, LspService};

use crate::lsp::client::settings::log;

use frame::Frames;
use outbox::{Outbox, Written};
use session::Session;

pub use answer::{Hold, hold};
pub(crate) use answer::{PLACES, QUICK_PLACES, Slot, Work};
pub(crate) use outbox::Notifier;
pub(crate) use tolerance::as_written;

/// How many messages may be read ahead of the current one. Enough to find a cancellation behind the requests of one keystroke.
const READ_AHEAD: usize = 32;

/// The number of messages in an input, the unreadable ones that are answered with an error among them.
pub fn messages(input: &[u8]) -> usize {
    Frames::new(input).filter_map(message::receive).count()
}

/// Why a session ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExitReason {
    /// The client sent `exit`.
    Exit {
        /// Whether the client had sent `shutdown` before, as the protocol requires.
        after_shutdown: bool,
    },
    /// The input ended without `exit`.
    InputEnded,
    /// The output was closed: no one reads the answers.
    OutputClosed,
    /// The process that `initialize` named as the server's parent has exited.
    ParentDied,
}

impl ExitReason {
    /// The exit status of the protocol: 0 for `exit` after `shutdown`, 1 for every other end.
    pub fn status(self) -> i32 {
        match self {
            ExitReason::Exit { after_shutdown: true } => 0,
            _ => 1,
        }
    }
}

/// The connection to one client.
pub struct Connection {
    outbox: Outbox,
    written: Written,
}

impl Connection {
    /// Creates the connection to a client that reads from `output`.
    ///
    /// # Errors
    ///
    /// If a thread cannot be started.
    pub fn new(output: impl Write + Send + 'static) -> io::Result<Self> {
        let (outbox, written) = Outbox::new(output)?;
        Ok(Connection { outbox, written })
    }

    /// Creates the connection to the client on standard output.
    ///
    /// After that, the process reports a panic in one line and without a backtrace, because a client may not read
    /// standard error, and a full pipe would block the next panic.
    ///
    /// # Errors
    ///
    /// If a thread cannot be started, or standard output is not available.
    pub(crate) fn stdout() -> io::Result<Self> {
        std::panic::set_hook(Box::new(|panic| log(&panic.to_string())));
        Self::new(standard_output()?)
    }

    /// Returns a way to send long notifications to the client.
    pub(crate) fn notifier(&self) -> Notifier {
        self.outbox.notifier()
    }

    /// Serves the client, which writes to `input`, until the session ends. Returns the reason within a second.
    ///
    /// `initialize` must be answered without waiting: later messages are refused until it is.
    ///
    /// This needs a tokio runtime with an enabled timer. The thread that reads `input` may still be waiting when this
    /// returns, so the process should end with [`std::process::exit`].
    ///
    /// # Errors
    ///
    /// If a thread cannot be started.
    pub async fn serve<S: LanguageServer>(
        self,
        service: LspService<S>,
        socket: ClientSocket,
        input: impl Read + Send + 'static,
    ) -> io::Result<ExitReason> {
        let (sender, messages) = mpsc::channel(READ_AHEAD);
        thread::Builder::new().name("lsp-reader".to_owned()).spawn(move || {
            for message in Frames::new(input).filter_map(message::receive) {
                if sender.blocking_send(message).is_err() {
                    break;
                }
            }
        })?;
        Ok(Session::new(service, socket, self.outbox).run(messages, self.written).await)
    }
}

/// Standard output without the line buffer of [`io::stdout`], which would split every frame after its header.
#[cfg(unix)]
fn standard_output() -> io::Result<impl Write + Send + 'static> {
    use std::os::fd::AsFd;
    Ok(std::fs::File::from(io::stdout().as_fd().try_clone_to_owned()?))
}

#[cfg(not(unix))]
fn standard_output() -> io::Result<impl Write + Send + 'static> {
    Ok(io::stdout())
}

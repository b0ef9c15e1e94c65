//! Messages in and out: JSON-RPC over a pair of byte streams, for as long as the session lasts.
//!
//! `tower-lsp-server` routes a message to its handler and keeps the protocol's states; this module does everything
//! between the bytes and that service, in place of the library's own loop, because a session must outlive whatever a
//! client sends and whatever goes wrong in a handler:
//!
//! ```text
//! input ─► frame ─► message ─► session ─► outbox ─► output
//!          └── reader thread ──┘  task     └─ writer thread
//! ```
//!
//! * A message that cannot be read is answered with an error where there is someone to answer, and skipped.
//! * Messages take effect in their order: each handler runs up to its first `.await` that has to wait before the next
//!   message is looked at. What a handler does up to there is therefore in order; what it does later is not.
//! * A handler that panics is answered for, with error −32603.
//! * No handler that waits, and no client that stops reading or answering, keeps the next message from being read. All
//!   handlers share one task, so work that takes long belongs in a thread of its own, for the handler to wait for.

mod fault;
mod frame;
mod log;
mod message;
mod outbox;
mod parent;
mod session;
mod surrogates;

use std::io::{self, Read, Write};
use std::thread;

use tokio::sync::mpsc;
use tower_lsp_server::{ClientSocket, LanguageServer, LspService};

pub(in crate::lsp) use log::log;
pub(crate) use outbox::Notifier;

use frame::Frames;
use outbox::{Outbox, Written};
use session::Session;

/// How many messages may be read ahead of the one that is being handled.
const READ_AHEAD: usize = 32;

/// Why a session ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExitReason {
    /// The client sent `exit`.
    Exit {
        /// Whether it had asked for `shutdown` before, as the protocol wants it to.
        after_shutdown: bool,
    },
    /// The input ended without `exit`.
    InputEnded,
    /// The output was closed: nobody reads the answers any more.
    OutputClosed,
    /// The process that `initialize` named as the server's parent is gone.
    ParentDied,
}

impl ExitReason {
    /// The exit status that the protocol asks of the process: 0 for `exit` after `shutdown`, 1 for every other end.
    pub fn status(self) -> i32 {
        match self {
            ExitReason::Exit { after_shutdown: true } => 0,
            _ => 1,
        }
    }
}

/// The way to one client.
pub struct Connection {
    outbox: Outbox,
    written: Written,
}

impl Connection {
    /// A client that reads from `output`.
    ///
    /// # Errors
    ///
    /// If a thread cannot be started.
    pub fn new(output: impl Write + Send + 'static) -> io::Result<Self> {
        let (outbox, written) = Outbox::new(output)?;
        Ok(Connection { outbox, written })
    }

    /// The client that reads from standard output.
    ///
    /// From then on the process says a panic in one line and without a backtrace, because a client need not read
    /// standard error, and a full pipe would stop whatever panics next.
    ///
    /// # Errors
    ///
    /// If a thread cannot be started, or standard output cannot be had.
    pub(crate) fn stdout() -> io::Result<Self> {
        std::panic::set_hook(Box::new(|panic| log(&panic.to_string())));
        Self::new(standard_output()?)
    }

    /// A way to send notifications to the client that are long.
    pub(crate) fn notifier(&self) -> Notifier {
        self.outbox.notifier()
    }

    /// Serves the client, which writes to `input`, until the session ends, and says why it did, within a second of the
    /// reason.
    ///
    /// `initialize` must be answered without waiting for anything: the messages behind it are refused until it is.
    ///
    /// It needs a tokio runtime whose timer is enabled. The thread that reads `input` may still be waiting for it when
    /// this returns, so a process that is done ends with [`std::process::exit`].
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

/// Standard output without the line buffer of [`io::stdout`], which would cut every frame in two behind its header.
#[cfg(unix)]
fn standard_output() -> io::Result<impl Write + Send + 'static> {
    use std::os::fd::AsFd;
    Ok(std::fs::File::from(io::stdout().as_fd().try_clone_to_owned()?))
}

#[cfg(not(unix))]
fn standard_output() -> io::Result<impl Write + Send + 'static> {
    Ok(io::stdout())
}

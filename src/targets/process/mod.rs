//! One program from start to end, whatever it is: fed, read within limits, and ended with all that it started.

mod conversation;
mod exchange;
mod output;

pub(super) use conversation::{Conversation, Silence};
#[cfg(all(test, unix))]
pub(super) use exchange::MOST_OUTPUT;
pub(super) use exchange::{Ending, Exchange, exchange, exchange_in};

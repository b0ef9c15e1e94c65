//! One program from start to end, whatever it is: fed, read within limits, and ended with all that it started.

mod exchange;
mod output;

#[cfg(all(test, unix))]
pub(super) use exchange::MOST_OUTPUT;
pub(super) use exchange::{Conversation, Silence};
pub(super) use exchange::{Ending, Exchange, exchange, exchange_in};

//! The command line from outside: the program itself, in a folder of its own.

mod support;

mod challenge;
mod check;
mod fix;
mod formats;
mod hostile;
mod others;
mod status;

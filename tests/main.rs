//! All tests of the program from outside, in one program, so that one link serves them and their waits overlap.

mod architecture;
mod cli;
mod codegen;
mod fuzz;
mod in_process;
mod lsp;
mod membership;
mod mutations;
mod run;
pub(crate) mod support;

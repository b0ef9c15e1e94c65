//! Turns arguments into a call and an outcome into an exit status.

use eval_ls::cli::args::{Cli, Command};
use eval_ls::{cli, lsp};

fn main() {
    let status = match Cli::of_process().command {
        Command::Lsp(_) => lsp::run(),
        Command::Task(task) => cli::run(&task).code(),
    };
    std::process::exit(status);
}

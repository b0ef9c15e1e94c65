//! Starts eval-ls for Zed. The server does everything else.

use zed_extension_api::{self as zed, Command, LanguageServerId, Result, Worktree};

struct EvalLs;

impl zed::Extension for EvalLs {
    fn new() -> Self {
        EvalLs
    }

    fn language_server_command(&mut self, _: &LanguageServerId, worktree: &Worktree) -> Result<Command> {
        let command = worktree.which("eval-ls").ok_or("`eval-ls` is not on the PATH")?;
        Ok(Command { command, args: vec!["lsp".to_owned()], env: worktree.shell_env() })
    }
}

zed::register_extension!(EvalLs);

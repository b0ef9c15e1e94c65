use std::process::{Command, Stdio};

/// A program and the programs that it has started. There are no process groups here.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Group(u32);

impl Group {
    /// Prepares `command`. Nothing needs to be prepared.
    pub(crate) fn lead(_command: &mut Command) {}

    /// The programs that the one with this process id has started, and that program.
    pub(crate) fn of(leader: u32) -> Group {
        Group(leader)
    }

    /// Ends the programs. They cannot be asked to end.
    pub(crate) fn terminate(self) {
        self.kill();
    }

    /// Ends the programs at once with the program of Windows that does so.
    pub(crate) fn kill(self) {
        let mut command = Command::new("taskkill");
        command.args(["/T", "/F", "/PID", &self.0.to_string()]);
        // An error means that the programs have ended.
        let _ = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).status();
    }

    /// Whether one of the programs still runs. Only the leader could be asked, and who ends it waits for it.
    pub(crate) fn is_running(self) -> bool {
        false
    }
}

/// A program that has started. It is not watched here.
#[derive(Debug)]
pub(crate) struct Watched;

impl Watched {
    /// The program that `command` will start.
    pub(crate) fn program(_command: &mut Command) -> Watched {
        Watched
    }

    /// Adds the program with this process id.
    pub(crate) fn leader(&self, _leader: u32) {}
}

/// Not possible here.
pub(crate) fn end_programs_with_this_process() {}

/// There are no reapers here.
pub(crate) fn is_reaper() -> bool {
    false
}

/// There is nothing to do here.
pub(crate) fn reap() {}

//! A program that stays, and answers lines with lines.

use std::io;
use std::process::Stdio;

use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::process::{Child, ChildStdin, ChildStdout, Command};

use crate::processes::Watched;
use crate::targets::{Deadline, Stop};

use super::exchange::{Group, MOST_OUTPUT};

/// A running program. Dropping it ends the program and all that it started.
pub(crate) struct Conversation {
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    _group: Group,
    _leader: Child,
    _watched: Watched,
}

/// Why there is no line.
#[derive(Debug)]
pub(crate) enum Silence {
    /// It was time to stop.
    Stopped(Stop),
    /// The line has more than [`MOST_OUTPUT`] bytes.
    TooMuch,
    /// The program has ended, or has closed its output.
    Ended,
}

impl Conversation {
    /// Starts the program.
    ///
    /// # Errors
    /// If it cannot be started.
    pub(crate) fn start(mut command: Command) -> io::Result<Self> {
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        Group::prepare(&mut command);
        let watched = Watched::program(command.as_std_mut());
        let mut leader = command.spawn()?;
        if let Some(id) = leader.id() {
            watched.leader(id);
        }
        let group = Group::of(&leader, None);
        let input = leader.stdin.take().expect("its standard input is a pipe");
        let output = BufReader::new(leader.stdout.take().expect("its standard output is a pipe"));
        Ok(Self { input, output, _group: group, _leader: leader, _watched: watched })
    }

    /// Writes a line. If the program does not read it, there is no answer either.
    pub(crate) async fn say(&mut self, line: &str) {
        let _ = self.input.write_all(format!("{line}\n").as_bytes()).await;
    }

    /// The next line of the program.
    pub(crate) async fn hear(&mut self, deadline: &Deadline) -> Result<Vec<u8>, Silence> {
        let mut line = Vec::new();
        let mut output = (&mut self.output).take(MOST_OUTPUT as u64);
        let read = tokio::select! {
            biased;
            stop = deadline.reached() => return Err(Silence::Stopped(stop)),
            read = output.read_until(b'\n', &mut line) => read,
        };
        match read {
            Ok(_) if line.ends_with(b"\n") => Ok(line),
            Ok(MOST_OUTPUT) => Err(Silence::TooMuch),
            _ => Err(Silence::Ended),
        }
    }
}

impl std::fmt::Debug for Conversation {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Conversation")
    }
}

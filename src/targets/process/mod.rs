//! One program from start to end, whatever it is: fed, read within limits, and ended with all that it started.

use std::io;
use std::pin::pin;
use std::process::{ExitStatus, Stdio};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncReadExt, AsyncWriteExt};
use tokio::process::{Child, ChildStdin, Command};
use tokio::time::{Instant, sleep, timeout};

use crate::processes::{self, Session, Watched};
use crate::targets::{Deadline, Stop};

/// How many bytes a program may print to standard output. An answer is text; a program that prints more repeats itself.
pub(crate) const MOST_OUTPUT: usize = 10 * 1024 * 1024;

/// How many bytes of standard error are kept. A stack trace is at the end.
const STDERR_TAIL: usize = 64 * 1024;

/// How long others may keep the pipes of a program open that has ended itself.
const PIPE_GRACE: Duration = Duration::from_millis(500);

/// How long to read what a program that was ended has left in its pipes.
const LAST_WORDS: Duration = Duration::from_millis(50);

/// What became of a program.
#[derive(Debug)]
pub(crate) struct Exchange {
    pub(crate) ending: Ending,
    /// All of standard output, up to [`MOST_OUTPUT`].
    pub(crate) stdout: Vec<u8>,
    /// The end of standard error.
    pub(crate) stderr: String,
}

/// How a program came to its end.
#[derive(Debug)]
pub(crate) enum Ending {
    /// By itself.
    Exited(ExitStatus),
    /// The program printed more than [`MOST_OUTPUT`] and was ended.
    TooMuch,
    /// The program was ended because it was time.
    Stopped(Stop),
    /// The system could not tell.
    Lost(io::Error),
}

/// Starts the program, writes `input` to it, and reads what it prints until it ends or must end. When this returns, and
/// also when it is dropped before, nothing that the program started in its process group is left. This also holds a moment after
/// this process is killed. In a session, the program may leave others running on purpose, which then belong to the session.
///
/// # Errors
/// Where the program cannot be started.
pub(crate) async fn exchange(
    session: Option<&Session>,
    mut command: Command,
    input: &[u8],
    deadline: &Deadline,
) -> io::Result<Exchange> {
    let (_watched, mut leader, group) = Group::start(command.stderr(Stdio::piped()), session)?;
    let (mut stdout, mut stderr) = (Vec::new(), Tail::of(STDERR_TAIL));

    let ending = {
        let mut feeding = pin!(feed(leader.stdin.take(), input));
        let mut output = pin!(fill(leader.stdout.take(), &mut stdout, |bytes| bytes.len() <= MOST_OUTPUT));
        let mut errors = pin!(stderr.fill(leader.stderr.take()));
        let mut stopped = pin!(deadline.reached());
        let (mut is_fed, mut output_ended, mut errors_ended) = (false, false, false);
        let mut grace = pin!(sleep(PIPE_GRACE));
        let mut exited = None;
        let ending = loop {
            tokio::select! {
                () = &mut feeding, if !is_fed => is_fed = true,
                fits = &mut output, if !output_ended => {
                    output_ended = true;
                    if !fits {
                        break Ending::TooMuch;
                    }
                }
                () = &mut errors, if !errors_ended => errors_ended = true,
                status = leader.wait(), if exited.is_none() => match status {
                    Ok(status) => {
                        exited = Some(status);
                        grace.set(sleep(PIPE_GRACE));
                    }
                    Err(error) => break Ending::Lost(error),
                },
                () = &mut grace, if exited.is_some() => {
                    // Something that it started still holds a pipe. It has said what it had to say.
                    output_ended = true;
                }
                stop = &mut stopped => break Ending::Stopped(stop),
            }
            if let Some(status) = exited.filter(|_| output_ended && (errors_ended || grace.is_elapsed())) {
                break Ending::Exited(status);
            }
        };
        if matches!(ending, Ending::Exited(_)) {
            group.leave_to_session();
        }
        // A program that is asked to end may want to say something about it, and must not be stuck saying it.
        let listening = async {
            tokio::join!(
                async {
                    if !errors_ended {
                        errors.await
                    }
                },
                async {
                    if !output_ended {
                        let _ = output.await;
                    }
                }
            );
        };
        let mut listening = pin!(listening);
        let mut ending_group = pin!(group.end(&mut leader));
        tokio::select! {
            () = &mut ending_group => {
                // The rest of it lies in the pipes; only one that has left the group could keep them open.
                let _ = timeout(LAST_WORDS, listening).await;
            }
            () = &mut listening => ending_group.await,
        }
        ending
    };
    Ok(Exchange { ending, stdout, stderr: stderr.into_text() })
}

/// Writes all of `input` and closes the pipe. A program need not read it.
async fn feed(stdin: Option<ChildStdin>, input: &[u8]) {
    if let Some(mut stdin) = stdin {
        let _ = stdin.write_all(input).await;
    }
}

/// How long the group may take to end by itself after SIGTERM. A program that saves its state has done so.
const TERM_GRACE: Duration = Duration::from_secs(1);

/// How long to wait until SIGKILL has done its work. It cannot be refused, so only a process stuck in the kernel takes longer.
const KILL_GRACE: Duration = Duration::from_millis(500);

/// How often to look whether the group is gone: the system does not report it.
const INTERVAL: Duration = Duration::from_millis(10);

/// The process group of a program. Dropping it kills the group at once.
struct Group(Option<processes::Group>);

impl Group {
    /// Starts a program as the leader of a new group, in this session if there is one.
    fn start(command: &mut Command, session: Option<&Session>) -> io::Result<(Watched, Child, Self)> {
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).kill_on_drop(true);
        processes::Group::lead(command.as_std_mut());
        let watched = Watched::program(command.as_std_mut());
        let leader = command.spawn()?;
        if let Some(id) = leader.id() {
            watched.leader(id);
        }
        let group = match session {
            Some(session) => processes::Group::within(session, &leader),
            None => processes::Group::of(&leader),
        };
        Ok((watched, leader, Self(Some(group))))
    }

    /// Leaves the programs to the session that a leader has left running. Call it if the leader has exited by itself.
    fn leave_to_session(&self) {
        self.0.iter().for_each(processes::Group::leave_to_session);
    }

    /// Ends the processes that still run: SIGTERM, and SIGKILL a second later. Returns when none is left.
    async fn end(mut self, leader: &mut Child) {
        let Some(group) = &self.0 else { return };
        group.terminate();
        if !gone_within(group, TERM_GRACE, leader).await {
            group.kill();
            gone_within(group, KILL_GRACE, leader).await;
        }
        self.0 = None;
    }
}

async fn gone_within(group: &processes::Group, limit: Duration, leader: &mut Child) -> bool {
    let end = Instant::now() + limit;
    // The leader counts as running until it was waited for.
    if timeout(limit, leader.wait()).await.is_err() {
        return false;
    }
    while group.is_running() {
        if Instant::now() >= end {
            return false;
        }
        sleep(INTERVAL).await;
    }
    true
}

impl Drop for Group {
    fn drop(&mut self) {
        if let Some(group) = &self.0 {
            group.kill();
        }
    }
}

/// How many bytes are read at a time. As much as a pipe on Linux holds.
const CHUNK: usize = 64 * 1024;

/// Reads to the end, or until `goes_on` is false after a part. What was read stays if this is dropped before.
async fn fill(
    from: Option<impl AsyncRead + Unpin>,
    bytes: &mut Vec<u8>,
    mut goes_on: impl FnMut(&mut Vec<u8>) -> bool,
) -> bool {
    let Some(mut from) = from else { return true };
    loop {
        bytes.reserve(CHUNK);
        match from.read_buf(bytes).await {
            // A pipe that cannot be read has nothing more to say.
            Ok(0) | Err(_) => return true,
            Ok(_) if !goes_on(bytes) => return false,
            Ok(_) => {}
        }
    }
}

/// The end of what a program writes to standard error.
#[derive(Debug)]
struct Tail {
    limit: usize,
    bytes: Vec<u8>,
    is_cut: bool,
}

impl Tail {
    fn of(limit: usize) -> Self {
        Self { limit, bytes: Vec::new(), is_cut: false }
    }

    /// Reads to the end, so that the writer never waits, and keeps the last bytes.
    async fn fill(&mut self, from: Option<impl AsyncRead + Unpin>) {
        let Self { limit, bytes, is_cut } = self;
        let end = |bytes: &mut Vec<u8>| {
            // Seldom enough that moving the rest to the front costs nothing.
            if bytes.len() > 2 * *limit + CHUNK {
                bytes.drain(..bytes.len() - *limit);
                *is_cut = true;
            }
            true
        };
        fill(from, bytes, end).await;
    }

    /// The last bytes as text. Where something before them was cut off, it begins with a whole line if it has one: half a
    /// line may begin within a secret, and would then not be known for one.
    fn into_text(self) -> String {
        let excess = self.bytes.len().saturating_sub(self.limit);
        let bytes = &self.bytes[excess..];
        let start = match memchr::memchr(b'\n', bytes) {
            Some(line_break) if self.is_cut || excess > 0 => line_break + 1,
            _ => 0,
        };
        String::from_utf8_lossy(&bytes[start..]).into_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn the_whole_is_read_up_to_the_limit() {
        for (limit, fits) in [(200_000, true), (199_999, false), (10, false)] {
            let text = vec![b'x'; 200_000];
            let mut whole = Vec::new();
            assert_eq!(fill(Some(text.as_slice()), &mut whole, |bytes| bytes.len() <= limit).await, fits, "{limit}");
        }
        let mut whole = Vec::new();
        assert!(fill(Some(&b"abc"[..]), &mut whole, |_| true).await);
        assert_eq!(whole, b"abc");
    }

    #[tokio::test]
    async fn a_tail_is_the_end() {
        for (written, kept) in [
            ("", ""),
            ("abc", "abc"),
            ("a\nb", "a\nb"),
            ("aé", "aé"),
            ("abcd", "bcd"),
            ("ab\nc", "c"),
            ("🚀yz", "\u{fffd}yz"),
        ] {
            let mut tail = Tail::of(3);
            tail.fill(Some(written.as_bytes())).await;
            assert_eq!(tail.into_text(), kept, "{written}");
        }
        let long: String = (0..100_000).map(|n| format!("{n}\n")).collect();
        let mut tail = Tail::of(13);
        tail.fill(Some(long.as_bytes())).await;
        assert_eq!(tail.into_text(), "99998\n99999\n");
    }
}

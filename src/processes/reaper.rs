//! The reaper: a child of this process that kills the programs of this process after this process was killed.
//!
//! Before a program starts, the reaper learns its mark from a pipe; after the start, its group; at its end, that it ended. At
//! the end of the pipe, the reaper kills all programs that have not ended. Until a program is loaded, its process holds the pipe
//! as well. So no program starts after the end of the pipe. If all programs have ended, the reaper does nothing.
//!
//! It finds a program by its group, and on Linux also by its mark. Elsewhere, a program whose start was not completed when
//! this process was killed is not found.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::io::{BufRead as _, Write as _};
use std::os::unix::process::CommandExt as _;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, SystemTime};

use super::unix::Group;
use super::{Mark, this_program};

/// The variable that marks the programs of a run.
const VARIABLE: &str = "EVAL_LS_PROGRAM";

/// The only argument of the reaper. It is not a command, because nobody types it.
const ARGUMENT: &str = "reap";

/// How often the reaper looks for programs: a process that is started while others are killed is found the next time.
const TRIES: usize = 500;
/// The time between two looks. A person does not notice it.
const INTERVAL: Duration = Duration::from_millis(10);

static REAPER: Mutex<Reaper> = Mutex::new(Reaper::Unwanted);

/// Whether the reaper also kills what ended programs have left running.
static LEAVES_NOTHING: AtomicBool = AtomicBool::new(false);

/// The number of the last program.
static LAST: AtomicU64 = AtomicU64::new(0);

enum Reaper {
    Unwanted,
    /// The reaper starts before the first program.
    Wanted,
    Started(Child),
    /// The reaper cannot be started, or has ended. Programs run without it.
    Lost,
}

/// From now on, programs of this process that are [`Watched`] end if this process is killed.
pub(crate) fn end_programs_with_this_process() {
    *reaper() = Reaper::Wanted;
}

/// From now on, programs that end are watched to the end of this process. Then everything that they have started ends, even
/// outside of their groups, because nobody is left who could stop it.
pub(crate) fn leave_nothing_running() {
    LEAVES_NOTHING.store(true, Ordering::Relaxed);
}

/// A program, or several with one mark, which the reaper kills if this process is killed before this value is dropped.
#[derive(Debug)]
pub(crate) struct Watched {
    number: u64,
}

impl Watched {
    /// Watches the program that `command` will start, and marks it.
    pub(crate) fn program(command: &mut Command) -> Watched {
        let number = next();
        if is_unwanted() {
            return Watched { number };
        }
        let started = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default().as_nanos();
        let value = format!("{}-{started}-{number}", std::process::id());
        command.env(VARIABLE, &value);
        Self::begin(number, &Mark::new(VARIABLE, OsStr::new(&value)))
    }

    /// Watches all programs with this mark.
    pub(crate) fn marked(mark: &Mark) -> Watched {
        Self::begin(next(), mark)
    }

    fn begin(number: u64, mark: &Mark) -> Watched {
        send(&[format!("{number} start ").as_bytes(), &mark.0].concat());
        Watched { number }
    }

    /// Adds the group with this leader.
    pub(crate) fn leader(&self, leader: u32) {
        send(format!("{} group {leader}", self.number).as_bytes());
    }
}

impl Drop for Watched {
    fn drop(&mut self) {
        // Its group has ended, and the system may give the number to another one.
        let message = if LEAVES_NOTHING.load(Ordering::Relaxed) { "group none" } else { "end " };
        send(format!("{} {message}", self.number).as_bytes());
    }
}

fn next() -> u64 {
    LAST.fetch_add(1, Ordering::Relaxed)
}

fn reaper() -> MutexGuard<'static, Reaper> {
    REAPER.lock().unwrap_or_else(PoisonError::into_inner)
}

fn is_unwanted() -> bool {
    matches!(*reaper(), Reaper::Unwanted)
}

/// Sends a message to the reaper, which starts if it is wanted.
fn send(message: &[u8]) {
    let mut reaper = reaper();
    if matches!(*reaper, Reaper::Wanted) {
        *reaper = start().map_or(Reaper::Lost, Reaper::Started);
    }
    if let Reaper::Started(child) = &mut *reaper {
        let sent = child.stdin.as_mut().map(|pipe| pipe.write_all(&[message, b"\0"].concat()));
        if !matches!(sent, Some(Ok(()))) {
            *reaper = Reaper::Lost;
        }
    }
}

fn start() -> std::io::Result<Child> {
    let mut command = Command::new(this_program());
    // A separate group: a signal to the group of this process must not end it. The root: it must not hold a folder.
    command.arg(ARGUMENT).env_clear().current_dir("/").process_group(0);
    command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null()).spawn()
}

/// Whether this process is the reaper of another.
pub(crate) fn is_reaper() -> bool {
    std::env::args_os().skip(1).eq([ARGUMENT])
}

/// Is the reaper: reads messages to the end of standard input, and kills the programs that have not ended.
pub(crate) fn reap() {
    let mut programs: BTreeMap<Vec<u8>, (Option<Mark>, Option<Group>)> = BTreeMap::new();
    let mut input = std::io::stdin().lock();
    let mut message = Vec::new();
    while matches!(input.read_until(0, &mut message), Ok(1..)) && message.pop() == Some(0) {
        let mut words = message.splitn(3, |byte| *byte == b' ');
        if let (Some(number), Some(verb), Some(value)) = (words.next(), words.next(), words.next()) {
            let program = programs.entry(number.to_owned()).or_default();
            match verb {
                b"start" => program.0 = Some(Mark(value.to_owned())),
                b"group" => {
                    program.1 = std::str::from_utf8(value).ok().and_then(|id| id.parse().ok()).map(Group::with_leader)
                }
                _ => drop(programs.remove(number)),
            }
        }
        message.clear();
    }
    let (marks, groups): (Vec<_>, Vec<_>) = programs.into_values().unzip();
    kill(&marks.into_iter().flatten().collect::<Vec<_>>(), &groups.into_iter().flatten().collect::<Vec<_>>());
}

/// Kills all these programs. Returns when two looks in succession have found none.
fn kill(marks: &[Mark], groups: &[Group]) {
    if marks.is_empty() {
        return;
    }
    let mut looks_without = 0;
    for _ in 0..TRIES {
        let running: Vec<_> = groups.iter().filter(|group| group.is_running()).collect();
        running.iter().for_each(|group| group.kill());
        let any = kill_marked(marks) || !running.is_empty();
        looks_without = if any { 0 } else { looks_without + 1 };
        if looks_without == 2 {
            return;
        }
        thread::sleep(INTERVAL);
    }
}

/// Kills the processes with these marks. Returns whether there were any.
#[cfg(target_os = "linux")]
fn kill_marked(marks: &[Mark]) -> bool {
    let processes = super::marked(marks);
    for process in &processes {
        // One that is gone needs no signal.
        let _ = rustix::process::kill_process(*process, rustix::process::Signal::KILL);
    }
    !processes.is_empty()
}

#[cfg(not(target_os = "linux"))]
fn kill_marked(_marks: &[Mark]) -> bool {
    false
}

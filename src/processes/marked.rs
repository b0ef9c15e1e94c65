//! Processes that are found by a mark: a variable in their environment, which the programs that they start inherit.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt as _;

#[cfg(target_os = "linux")]
pub(crate) use linux::marked;

/// A mark: the name and the value of a variable, `NAME=VALUE`. No environment has a NUL in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Mark(pub(super) Vec<u8>);

impl Mark {
    /// The variable `name` with this value.
    pub(crate) fn new(name: &str, value: &OsStr) -> Mark {
        Mark([name.as_bytes(), b"=", value.as_bytes()].concat())
    }
}

#[cfg(target_os = "linux")]
mod linux {
    use std::collections::BTreeSet;
    use std::fs;

    use rustix::process::Pid;

    use super::Mark;

    /// The processes with one of these marks, and all in a session or group that one of them leads: some processes of a browser
    /// overwrite their environment. Zombies have ended.
    pub(crate) fn marked(marks: &[Mark]) -> Vec<Pid> {
        let all: Vec<Running> = all().collect();
        let named: BTreeSet<i32> = all.iter().map(|of| of.process).filter(|of| has_mark(*of, marks)).collect();
        let belongs = |of: &&Running| [of.process, of.group, of.session].iter().any(|number| named.contains(number));
        all.iter().filter(belongs).filter_map(|of| Pid::from_raw(of.process)).collect()
    }

    struct Running {
        process: i32,
        group: i32,
        session: i32,
    }

    fn all() -> impl Iterator<Item = Running> {
        let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
        entries.filter_map(|entry| {
            let process = entry.file_name().to_str()?.parse().ok()?;
            let stat = fs::read_to_string(entry.path().join("stat")).ok()?;
            // `pid (name) state parent group session …`, where the name may hold anything.
            let mut fields = stat.rsplit(')').next()?.split_ascii_whitespace();
            let state = fields.next()?;
            let group = fields.nth(1)?.parse().ok()?;
            let session = fields.next()?.parse().ok()?;
            (!matches!(state, "Z" | "X")).then_some(Running { process, group, session })
        })
    }

    fn has_mark(process: i32, marks: &[Mark]) -> bool {
        // The environment of other users' processes cannot be read; they are not ours.
        let Ok(environment) = fs::read(format!("/proc/{process}/environ")) else { return false };
        environment.split(|byte| *byte == 0).any(|variable| marks.iter().any(|mark| mark.0 == variable))
    }
}

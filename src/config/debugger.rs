use serde::Serialize;

use super::{CommandTarget, Config, TargetKind};

/// A debugger that the program of a target can start under.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Debugger {
    /// The inspector of Node.js.
    Node,
    /// `debugpy`, a package of Python.
    Python,
}

/// Programs that run another program: `uv run python agent.py`.
const LAUNCHERS: [&str; 6] = ["uv", "poetry", "pdm", "pipenv", "hatch", "rye"];

/// The options of Python's interpreter that are followed by a value.
const WITH_VALUE: [&str; 2] = ["-W", "-X"];

impl Config {
    /// The same configuration, in which the program of the target waits for a debugger; `None` if it cannot.
    pub(crate) fn debugged(&self, name: &str, port: u16) -> Option<Config> {
        let mut config = self.clone();
        let target = config.targets.get_mut(name)?;
        target.kind = TargetKind::Command(target.command()?.debugged(port)?);
        Some(config)
    }
}

impl CommandTarget {
    /// The debugger that can start the program; `None` for programs that are neither `node` nor `python`.
    pub(crate) fn debugger(&self) -> Option<Debugger> {
        self.interpreter().map(|(debugger, _)| debugger)
    }

    /// The same program, which waits for a debugger to attach at a port of this machine before it begins. `None` if
    /// [`CommandTarget::debugger`] is.
    pub(crate) fn debugged(&self, port: u16) -> Option<CommandTarget> {
        let (debugger, interpreter) = self.interpreter()?;
        let (place, inserted) = match debugger {
            Debugger::Node => (interpreter + 1, vec![format!("--inspect-brk=127.0.0.1:{port}")]),
            Debugger::Python => {
                let address = format!("127.0.0.1:{port}");
                let words = ["-m", "debugpy", "--listen", &address, "--wait-for-client"];
                (self.script(interpreter + 1), words.map(str::to_owned).to_vec())
            }
        };
        let mut command = self.command.clone();
        command.splice(place..place, inserted);
        Some(CommandTarget { command, ..self.clone() })
    }

    /// The command that ends with exit status 0 if the debugger is installed; `None` if the program brings its own.
    pub(crate) fn debugger_check(&self) -> Option<CommandTarget> {
        let (debugger, interpreter) = self.interpreter()?;
        let words = self.command.iter().take(interpreter + 1).map(String::as_str);
        let command = words.chain(["-c", "import debugpy"]).map(str::to_owned).collect();
        (debugger == Debugger::Python).then(|| CommandTarget { command, ..self.clone() })
    }

    /// The interpreter in the command, and its place.
    fn interpreter(&self) -> Option<(Debugger, usize)> {
        let name = |place: usize| {
            let word = self.command.get(place)?.to_ascii_lowercase();
            let name = word.rsplit(['/', '\\']).next()?.to_owned();
            Some(name.strip_suffix(".exe").map(str::to_owned).unwrap_or(name))
        };
        let is_launched = LAUNCHERS.contains(&name(0)?.as_str()) && name(1).as_deref() == Some("run");
        let place = if is_launched { 2 } else { 0 };
        let name = name(place)?;
        let version = name.strip_prefix("python").or(name.strip_prefix("py").filter(|rest| rest.is_empty()));
        if version.is_some_and(|version| version.chars().all(|c| c.is_ascii_digit() || c == '.')) {
            return Some((Debugger::Python, place));
        }
        (name == "node" || name == "nodejs").then_some((Debugger::Node, place))
    }

    /// The place after the options of Python's interpreter: that of the script, of `-m` or of `-c`.
    fn script(&self, mut place: usize) -> usize {
        while let Some(word) = self.command.get(place) {
            if !word.starts_with('-') || word == "-" || word.starts_with("-m") || word.starts_with("-c") {
                break;
            }
            place += if WITH_VALUE.contains(&word.as_str()) { 2 } else { 1 };
        }
        place.min(self.command.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn node_and_python_wait_for_a_debugger() {
        let debugged = |command: &str| {
            let command = command.split(' ').map(str::to_owned).collect();
            let target = CommandTarget { command, cwd: None, env: [].into(), pass_env: Vec::new() };
            let check = target.debugger_check().map(|check| check.command.join(" "));
            Some((target.debugger()?, target.debugged(9000)?.command.join(" "), check))
        };
        let node = |command: &str| Some((Debugger::Node, command.to_owned(), None));
        let python = |interpreter: &str, rest: &str| {
            let check = format!("{interpreter} -c import debugpy");
            Some((Debugger::Python, format!("{interpreter} {rest}"), Some(check)))
        };
        let debugpy = "-m debugpy --listen 127.0.0.1:9000 --wait-for-client";
        for (command, waits) in [
            ("node agent.mjs --fast", node("node --inspect-brk=127.0.0.1:9000 agent.mjs --fast")),
            ("/usr/bin/node --import tsx a.ts", node("/usr/bin/node --inspect-brk=127.0.0.1:9000 --import tsx a.ts")),
            (r"C:\node\node.EXE a.js", node(r"C:\node\node.EXE --inspect-brk=127.0.0.1:9000 a.js")),
            ("python3 agent.py", python("python3", &format!("{debugpy} agent.py"))),
            ("python3.12 -u -X dev agent.py -v", python("python3.12", &format!("-u -X dev {debugpy} agent.py -v"))),
            (".venv/bin/python -m agent", python(".venv/bin/python", &format!("{debugpy} -m agent"))),
            ("uv run python agent.py", python("uv run python", &format!("{debugpy} agent.py"))),
            ("uv run agent.py", None),
            ("uv", None),
            ("./agent --language python", None),
            ("pythonic a", None),
            ("npx tsx agent.ts", None),
        ] {
            assert_eq!(debugged(command), waits, "{command}");
        }
    }
}

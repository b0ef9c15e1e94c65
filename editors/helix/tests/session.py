"""Sessions with eval-ls in a real Helix: keys go in through a terminal, and the screen is read.

Needs `scripts/get-neovim --others` to have run, eval-ls to be built, and the package pyte. `scripts/test-helix` sees to that.
Every wait ends when the screen shows what is expected; only a failure takes long.
"""

import fcntl
import os
import pathlib
import pty
import select
import struct
import sys
import tempfile
import termios
import time

import pyte

ROOT = pathlib.Path(__file__).resolve().parents[3]
PATIENCE = float(os.environ.get("PATIENCE", 60))
COLUMNS, LINES = 150, 40

SUITE = """{ "version": "0.2.0", "cases": [
  { "id": "A", "category": "c", "prompt": "p", "expected": {
    "outcome": "response_only",
    "must_sya_any": ["open"] } }
] }
"""
AGENT = 'import json, sys; json.load(sys.stdin); json.dump({"response": "closed"}, sys.stdout)\n'
CONFIG = '[run]\ntarget = "agent"\njob = 2\n\n[targets.agent]\nkind = "command"\ncommand = ["python3", "agent.py"]\n'


class Screen(pyte.Screen):
    """A screen that ignores the questions of newer terminals, which pyte does not know."""

    def report_device_status(self, *args, **rest):
        pass

    def report_device_attributes(self, *args, **rest):
        pass

    def set_margins(self, *args, private=False):
        super().set_margins(*args)

    def select_graphic_rendition(self, *args, private=False):
        super().select_graphic_rendition(*args)


class Helix:
    def __init__(self, home, folder, file):
        config = home / ".config/helix"
        config.mkdir(parents=True)
        (config / "languages.toml").write_text((ROOT / "editors/helix/languages.toml").read_text())
        (config / "config.toml").write_text(
            '[editor]\nend-of-line-diagnostics = "hint"\n[editor.lsp]\ndisplay-inlay-hints = true\n'
        )
        path = f"{ROOT / 'target/debug'}:{os.environ['PATH']}"
        env = dict(os.environ, HOME=str(home), XDG_CONFIG_HOME=str(home / ".config"), PATH=path, TERM="xterm-256color")
        env["XDG_STATE_HOME"] = str(home / "state")
        self.process, self.terminal = pty.fork()
        if self.process == 0:
            os.chdir(folder)
            os.execve(ROOT / "target/tools/bin/hx", ["hx", file], env)
        fcntl.ioctl(self.terminal, termios.TIOCSWINSZ, struct.pack("HHHH", LINES, COLUMNS, 0, 0))
        self.screen = Screen(COLUMNS, LINES)
        self.stream = pyte.ByteStream(self.screen)

    def text(self):
        return "\n".join(line.rstrip() for line in self.screen.display if line.strip())

    def read(self):
        """Reads what Helix has written within a moment."""
        readable, _, _ = select.select([self.terminal], [], [], 0.05)
        if not readable:
            return
        written = os.read(self.terminal, 65536)
        self.stream.feed(written)
        # Helix asks for the attributes of the terminal and waits for the answer.
        if b"\x1b[c" in written:
            os.write(self.terminal, b"\x1b[?62;c")

    def wait(self, shown, gone=()):
        """Waits until the screen has all texts of `shown` and none of `gone`."""
        end = time.monotonic() + PATIENCE
        while not (all(text in self.text() for text in shown) and not any(text in self.text() for text in gone)):
            if time.monotonic() > end:
                sys.exit(f"expected {shown}, and not {list(gone)}, on this screen:\n{self.text()}")
            self.read()

    def keys(self, keys, *shown, gone=()):
        os.write(self.terminal, keys.encode())
        self.wait(shown, gone)

    def end(self):
        os.write(self.terminal, b"\x1b\x1b:quit-all!\r")
        end = time.monotonic() + PATIENCE
        while os.waitpid(self.process, os.WNOHANG) == (0, 0):
            if time.monotonic() > end:
                sys.exit("Helix does not end")
            try:
                self.read()
            except OSError:
                time.sleep(0.01)


def session(file):
    def run(act):
        with tempfile.TemporaryDirectory() as home:
            home = pathlib.Path(home)
            folder = home / "workspace"
            (folder / "evals").mkdir(parents=True)
            (folder / ".git").mkdir()
            for name, text in {"evals/a.json": SUITE, "agent.py": AGENT, "eval-ls.toml": CONFIG}.items():
                (folder / name).write_text(text)
            helix = Helix(home, folder, file)
            act(helix, folder)
            helix.end()
        print(f"ok {act.__name__}")

    return run


@session("eval-ls.toml")
def a_configuration_has_findings_and_fixes(helix, folder):
    helix.wait(["did you mean `jobs`?"])
    helix.keys("jj a", "Change it to `jobs`")
    helix.keys("\r", "jobs = 2", gone=["did you mean"])


@session("evals/a.json")
def a_suite_has_findings_fixes_and_runs(helix, folder):
    (folder / "eval-ls.toml").write_text(CONFIG.replace("job =", "jobs ="))
    helix.wait(["did you mean `must_say_any`?"])
    helix.keys("jjjw a", "Rename to")
    helix.keys("\r", '"must_say_any": ["open"]', gone=["did you mean"])
    helix.keys(":lsp-workspace-command eval-ls.runSuite\r", "Allow", "python3")
    helix.keys("\r", "FAIL")


@session("evals/a.json")
def a_renamed_case_takes_its_transcript_along(helix, folder):
    transcripts = folder / "evals/transcripts/a"
    transcripts.mkdir(parents=True)
    (transcripts / "A.json").write_text('{ "format": "eval-ls/transcript@1", "case": "A", "response": "open" }\n')
    helix.wait(["did you mean `must_say_any`?"])
    # To the id, then rename without the old name in the prompt.
    helix.keys("/\"A\"\rl r", "rename-to:")
    helix.keys("\x15NEW\r", '"id": "NEW"')
    helix.keys(":write-all\r", "written")
    moved = transcripts / "NEW.json"
    if (transcripts / "A.json").exists() or not moved.exists() or '"NEW"' not in moved.read_text():
        sys.exit(f"the transcript did not move: {sorted(transcripts.iterdir())}")

"""An empty place: a home folder, and a PATH without cargo and without the tools of the project."""
import os
import pathlib
import shutil
import subprocess
import tempfile
import time

from release.project import OUT, ROOT, Failure

SYSTEM = "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin"
# The arguments of the program, and the expected exit status. The examples have cases that are meant to fail.
USES = [
    (["--version"], 0),
    (["self-test"], 0),
    (["check", "examples"], 0),
    (["check", "examples/faulty"], 1),
    (["run", "examples", "--target", "replay", "--no-results"], 1),
    (["licenses"], 0),
]


class Place:
    """A temporary folder that is the home folder and the working directory."""

    def __init__(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="eval-ls-release-"))
        shutil.copytree(ROOT / "examples", self.folder / "examples", ignore=shutil.ignore_patterns("results", "node_modules"))
        self.environment = {"HOME": str(self.folder), "PATH": SYSTEM, "LANG": "C.UTF-8", "TMPDIR": str(self.folder)}

    def __enter__(self):
        return self

    def __exit__(self, *_):
        shutil.rmtree(self.folder, ignore_errors=True)

    def run(self, *command, status=0, **options):
        """Runs a program here, and returns what it prints. Fails if it ends with another exit status; `status` may list several."""
        command = [str(part) for part in command]
        options = {"cwd": self.folder, "env": self.environment, "stdin": subprocess.DEVNULL, **options}
        # The examples end within seconds; a program that hangs must not keep the caller.
        ran = subprocess.run(command, text=True, timeout=1800, **{"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **options})
        if ran.returncode not in (status if isinstance(status, tuple) else (status,)):
            said = (ran.stdout + (ran.stderr or ""))[-2000:]
            raise Failure(f"`{' '.join(command)}` ended with {ran.returncode}, not {status}:\n{said}")
        return ran.stdout

    def use(self, *program, uses=USES):
        """Uses the installed program. Returns the seconds of all uses, and the first line of its version."""
        start = time.monotonic()
        said = [self.run(*program, *arguments, status=status) for arguments, status in uses]
        return time.monotonic() - start, said[0].split("\n")[0]


    def first_steps(self, *program):
        """Runs the commands of the README in an empty folder, up to the verdicts about an assistant. Returns the seconds."""
        folder = self.folder / "first"
        folder.mkdir()
        start = time.monotonic()
        said = [self.run(*program, *words, status=(0, 1), cwd=folder) for words in readme_commands()]
        if "2 cases: " not in said[-1]:
            raise Failure(f"the last command of the README gives no verdict:\n{said[-1]}")
        return time.monotonic() - start


def readme_commands():
    """The arguments of the lines `$ eval-ls …`."""
    lines = (ROOT / "README.md").read_text().splitlines()
    return [line.split("#")[0].split()[2:] for line in lines if line.startswith("$ eval-ls ")]


def asset(pattern):
    """The one asset whose name matches."""
    found = sorted(OUT.glob(pattern))
    if len(found) != 1:
        raise Failure(f"{len(found)} files match {OUT / pattern}; run `scripts/release`")
    return found[0]


def has(program):
    return shutil.which(program, path=SYSTEM) is not None


def elsewhere(**more):
    """The environment of this process, for builds."""
    return {**os.environ, **more}

"""Compares two builds of a commit that take place in different folders."""
import os
import pathlib
import tempfile

from release import targets
from release.checksums import digest
from release.project import ROOT, Failure, output, run

# Of different lengths: a path in the program would move what follows it.
FOLDERS = ["one", "another-folder"]


class Builds:
    """Two builds of a target, default: that of this machine. With `quick`, they are not optimized."""

    def __init__(self, triple, quick):
        self.target = targets.named(triple) if triple else targets.of_this_machine()
        self.options = ["--quick"] if quick else []

    def compare(self):
        """Builds the program from two clones of the commit. Fails if a byte differs."""
        triple = self.target.triple
        environment = {name: value for name, value in os.environ.items() if name not in ("CARGO_TARGET_DIR", "EVAL_LS_COMMIT")}
        with tempfile.TemporaryDirectory(prefix="eval-ls-again-") as folder:
            digests = []
            for copy in (pathlib.Path(folder, name) for name in FOLDERS):
                run("git", "clone", "--quiet", ROOT, copy)
                run(copy / "scripts/release", "build", *self.options, triple, cwd=copy, env=environment)
                digests.append(digest(copy / self.target.path.relative_to(ROOT)))
        if digests[0] != digests[1]:
            raise Failure(f"two builds of {triple} differ; compare them with `diffoscope`")
        print(f"reproducible: two builds of {output('git', 'rev-parse', '--short', 'HEAD')} for {triple} have the SHA-256 {digests[0]}")

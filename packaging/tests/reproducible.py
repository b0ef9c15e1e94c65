"""Compares two builds of a commit that take place in different folders."""
import os
import pathlib
import tempfile

from release import targets
from release.checksums import digest
from release.project import ROOT, Failure, output, run

# Of different lengths: a path in the program would move what follows it.
FOLDERS = ["one", "another-folder"]


def compare(quick):
    """Builds the program of this machine from two clones of the commit. Fails if a byte differs."""
    target = targets.of_this_machine()
    options = ["--quick"] if quick else []
    environment = {name: value for name, value in os.environ.items() if name not in ("CARGO_TARGET_DIR", "EVAL_LS_COMMIT")}
    with tempfile.TemporaryDirectory(prefix="eval-ls-again-") as folder:
        digests = []
        for copy in (pathlib.Path(folder, name) for name in FOLDERS):
            run("git", "clone", "--quiet", ROOT, copy)
            run(copy / "scripts/release", "build", *options, target.triple, cwd=copy, env=environment)
            digests.append(digest(copy / target.path.relative_to(ROOT)))
    if digests[0] != digests[1]:
        raise Failure(f"two builds of {target.triple} differ; compare them with `diffoscope`")
    print(f"reproducible: two builds of {output('git', 'rev-parse', '--short', 'HEAD')} for {target.triple} have the SHA-256 {digests[0]}")

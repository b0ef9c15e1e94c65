"""The scripts of action.yml, as GitHub's runner starts them, with the assets on a server of this machine."""
import functools
import http.server
import os
import stat

from release.project import OUT, ROOT, Failure
from .registry import serve

SCRIPTS = ROOT / "packaging/action"
# Stands in for GitHub's program: keeps the calls, and knows no comment before the second one. test_action.py tests which comment counts.
GH = """#!/bin/sh
echo "$@" >>"$HOME/calls"
case "$*" in *--paginate*) if grep -q POST "$HOME/calls"; then echo 17; fi ;; esac
"""


class Files(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


def action(here):
    """Installs by checksum, refuses a wrong one, checks, runs, and comments twice."""
    temporary = here.folder / "temporary"
    (temporary / "bin").mkdir(parents=True)
    (temporary / "bin/gh").write_text(GH)
    (temporary / "bin/gh").chmod(stat.S_IRWXU)
    files = {name: here.folder / name for name in ("GITHUB_PATH", "GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY")}
    here.environment |= {name: str(path) for name, path in files.items()}
    here.environment |= {"GITHUB_ACTION_PATH": str(ROOT), "RUNNER_TEMP": str(temporary), "GITHUB_REPOSITORY": "o/r"}
    here.environment |= {"INPUT_VERSION": "", "INPUT_SHA256": "0" * 64}
    with serve(functools.partial(Files, directory=OUT)) as address:
        here.environment["INPUT_ASSETS"] = address
        said = here.run(SCRIPTS / "install", status=1)
        assert "nothing was installed" in said and not files["GITHUB_PATH"].exists(), said
        here.environment["INPUT_SHA256"] = ""
        here.run(SCRIPTS / "install")
    folder = files["GITHUB_PATH"].read_text().strip()
    here.environment["PATH"] = os.pathsep.join([str(temporary / "bin"), folder, here.environment["PATH"]])
    here.environment |= {"INPUT_PATHS": "examples\n", "INPUT_DENY_WARNINGS": "false", "INPUT_TARGET": "replay", "INPUT_ARGUMENTS": ""}
    here.run(SCRIPTS / "check")
    here.run(SCRIPTS / "run", env={**here.environment, "STATUS": "0"})
    outputs = dict(line.split("=", 1) for line in files["GITHUB_OUTPUT"].read_text().splitlines())
    assert outputs["status"] == "1", outputs
    for path in (outputs["junit"], outputs["report"], files["GITHUB_STEP_SUMMARY"]):
        assert os.path.getsize(path) > 0, path
    for _ in range(2):
        here.run(SCRIPTS / "comment", env={**here.environment, "REPORT": outputs["report"], "PULL_REQUEST": "7"})
    calls = (here.folder / "calls").read_text()
    if "--method POST repos/o/r/issues/7/comments" not in calls or "--method PATCH repos/o/r/issues/comments/17" not in calls:
        raise Failure(f"the comment was not written and then replaced:\n{calls}")
    yield os.path.join(folder, "eval-ls")

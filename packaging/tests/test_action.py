"""Checks the scripts of action.yml with stand-ins for `curl` and `gh`."""
import json
import os
import pathlib
import platform
import stat
import subprocess
import tarfile
import tempfile
import unittest

from release.checksums import digest
from release.project import ROOT

SCRIPTS = ROOT / "packaging/action"
TARGET = {"Linux": f"{platform.machine()}-unknown-linux-musl", "Darwin": f"{platform.machine().replace('arm64', 'aarch64')}-apple-darwin"}
# Copies the asset of this name from the folder `assets`, and keeps its arguments.
CURL = """#!/bin/sh
echo "$@" >>"$HOME/curl"
for address; do :; done
while [ "$1" != --output ]; do shift; done
cp "$HOME/assets/${address##*/}" "$2"
"""
# Verifies attestations as the file `verified` says. Lists the comments in the file `comments`, and applies the filter to them.
GH = """#!/bin/sh
echo "$@" >>"$HOME/gh"
case "$*" in
  attestation*) exit "$(cat "$HOME/verified")" ;;
  *"api user "*) cat "$HOME/login" ;;
  *--paginate*) jq -r "$5" <"$HOME/comments" ;;
esac
"""


class Action(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)
        for name, script in {"curl": CURL, "gh": GH}.items():
            self.write(f"bin/{name}", script).chmod(stat.S_IRWXU)
        self.environment = {
            **os.environ,
            "PATH": os.pathsep.join([str(self.folder / "bin"), os.environ["PATH"]]),
            "HOME": str(self.folder),
            "RUNNER_TEMP": str(self.folder),
            "GITHUB_PATH": str(self.folder / "path"),
            "GITHUB_ACTION_PATH": str(ROOT),
            "GITHUB_REPOSITORY": "o/r",
            "GITHUB_SERVER_URL": "https://github.com",
            "INPUT_VERSION": "1.2.3",
            "INPUT_SHA256": "",
            "INPUT_ASSETS": "",
        }

    def write(self, name, text):
        path = self.folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
        return path

    def run_script(self, name, **environment):
        return subprocess.run([SCRIPTS / name], env={**self.environment, **environment}, check=False, capture_output=True, text=True)

    def release(self):
        """A release whose program does nothing."""
        name = f"eval-ls-{TARGET[platform.system()]}"
        self.write("eval-ls", "#!/bin/sh\n").chmod(stat.S_IRWXU)
        archive = self.folder / "assets" / f"{name}.tar.gz"
        archive.parent.mkdir()
        with tarfile.open(archive, "w:gz") as packed:
            packed.add(self.folder / "eval-ls", f"{name}/eval-ls")
        self.write("assets/SHA256SUMS", f"{digest(archive)}  {archive.name}\n")
        return archive

    def test_a_release_of_unknown_origin_is_not_installed(self):
        archive = self.release()
        self.write("verified", "1")
        ran = self.run_script("install")
        self.assertEqual(ran.returncode, 1, ran)
        self.assertIn("nothing was installed", ran.stdout)
        self.assertFalse((self.folder / "path").exists())
        self.write("verified", "0")
        ran = self.run_script("install")
        self.assertEqual(ran.returncode, 0, ran)
        self.assertIn("--repo o/r --signer-workflow o/r/.github/workflows/release.yml", (self.folder / "gh").read_text())
        self.assertTrue((self.folder / "path").exists())
        for line in (self.folder / "curl").read_text().splitlines():
            self.assertIn("--proto =https --proto-redir =https --tlsv1.2", line)
        self.write("verified", "1")
        self.assertEqual(self.run_script("install", INPUT_SHA256=digest(archive)).returncode, 0)
        self.assertEqual(self.run_script("install", INPUT_ASSETS="http://mirror").returncode, 0)
        self.assertIn("--proto =http --proto-redir =https", (self.folder / "curl").read_text())

    def test_a_comment_of_a_stranger_is_not_edited(self):
        def comment(number, kind, login):
            return {"id": number, "body": "<!-- eval-ls -->\nx", "user": {"type": kind, "login": login}}

        stranger, bot, person = comment(1, "User", "stranger"), comment(2, "Bot", "github-actions[bot]"), comment(3, "User", "me")
        report = self.write("report.md", "report")
        for comments, login, sent in [
            ([stranger], "", "--method POST repos/o/r/issues/7/comments"),
            ([stranger, bot], "", "--method PATCH repos/o/r/issues/comments/2"),
            ([stranger, person], "", "--method POST repos/o/r/issues/7/comments"),
            ([stranger, person], "me\n", "--method PATCH repos/o/r/issues/comments/3"),
        ]:
            self.write("comments", json.dumps(comments))
            self.write("login", login)
            self.write("gh", "")
            ran = self.run_script("comment", REPORT=str(report), PULL_REQUEST="7")
            self.assertEqual(ran.returncode, 0, ran)
            self.assertIn(sent, (self.folder / "gh").read_text())


if __name__ == "__main__":
    unittest.main()

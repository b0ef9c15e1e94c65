"""Runs the build script of the program in a package without other code."""
import os
import pathlib
import shutil
import subprocess
import tempfile
import tomllib
import unittest

from release import project
from .pcre2 import DECOY


class SystemPcre2(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        manifest = tomllib.loads((project.ROOT / "Cargo.toml").read_text())
        needs = "".join(f'{name} = "{version}"\n' for name, version in manifest["build-dependencies"].items())
        package = f'[package]\nname = "p"\nversion = "0.0.0"\nedition = "{manifest["package"]["edition"]}"\n[build-dependencies]\n{needs}[workspace]\n'
        (self.folder / "Cargo.toml").write_text(package)
        (self.folder / "src").mkdir()
        (self.folder / "src/lib.rs").touch()
        shutil.copy(project.ROOT / "build.rs", self.folder)

    def build(self, **environment):
        """Builds the package. Returns the exit status, and what cargo reports."""
        ours = {name: value for name, value in os.environ.items() if name != "PCRE2_SYS_STATIC"}
        folder = str(self.folder / "target")
        # With a folder that other builds use, it would wait for them.
        ours |= {"PKG_CONFIG_LIBDIR": str(self.folder), "CARGO_TARGET_DIR": folder, "CARGO_BUILD_BUILD_DIR": folder, **environment}
        command = ["cargo", "check", "--quiet"]
        ran = subprocess.run(command, cwd=self.folder, env=ours, capture_output=True, text=True, check=False)
        return ran.returncode, ran.stderr

    def test_an_old_library_stops_the_build_with_the_line_to_type(self):
        for version in ("10.41", "9.99", "10.4"):
            (self.folder / "libpcre2-8.pc").write_text(DECOY.replace("10.42", version))
            status, said = self.build()
            self.assertEqual(status, 101, said)
            self.assertIn(f"system's PCRE2 {version} is older than 10.42", said)
            self.assertIn("`PCRE2_SYS_STATIC=1 cargo install eval-ls`", said)

    def test_a_newer_library_is_accepted(self):
        for version in ("10.42", "10.45-RC1", "11.0"):
            (self.folder / "libpcre2-8.pc").write_text(DECOY.replace("10.42", version))
            status, said = self.build()
            self.assertEqual(status, 0, said)

    def test_that_line_builds(self):
        (self.folder / "libpcre2-8.pc").write_text(DECOY.replace("10.42", "10.41"))
        status, said = self.build(PCRE2_SYS_STATIC="1")
        self.assertEqual(status, 0, said)

    def test_without_such_a_library_nothing_has_to_be_typed(self):
        status, said = self.build()
        self.assertEqual(status, 0, said)

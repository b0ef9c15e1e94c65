"""Checks what `scripts/release` writes, without programs."""
import contextlib
import pathlib
import re
import subprocess
import tempfile
import unittest
from unittest import mock

from release import assets as kinds, checksums, project, readme, targets

ADDRESS = "https://example.com/o/eval-ls"


def address(value):
    return mock.patch.dict("os.environ", {"EVAL_LS_REPOSITORY": value})


@contextlib.contextmanager
def assets(*names):
    """An empty folder of assets with these files."""
    with tempfile.TemporaryDirectory() as folder:
        out = pathlib.Path(folder)
        for name in names:
            (out / name).write_bytes(name.encode())
        with mock.patch.object(checksums, "OUT", out):
            yield out


class Readme(unittest.TestCase):
    def test_links_lead_to_the_repository(self):
        with address(ADDRESS):
            text = readme.readme("pip install eval-ls")
        self.assertIn("$ pip install eval-ls", text)
        links = re.findall(r"\]\(([^)]*)\)", text)
        self.assertGreater(len(links), 15)
        for link in links:
            found = re.fullmatch(rf"{re.escape(ADDRESS)}/(blob|raw)/v[0-9.]+/([^#]+)(#.*)?", link)
            self.assertTrue(found, link)
            self.assertTrue((project.ROOT / found[2]).exists(), link)
            self.assertEqual(found[1] == "raw", found[2].endswith(".png"), link)

    def test_without_an_address_there_are_no_links(self):
        with mock.patch.object(readme, "has_repository", lambda: False):
            text = readme.readme()
        self.assertNotIn("](", text)
        self.assertNotIn("## Documentation", text)
        self.assertIn("## What it does", text)

    def test_nothing_needs_a_checkout(self):
        for install in (None, "npm install --global eval-ls"):
            text = readme.readme(install)
            for left_out in ("<!--", "cargo run", "checkout", "scripts/"):
                self.assertNotIn(left_out, text)


class Address(unittest.TestCase):
    def test_no_page_and_no_package_has_a_placeholder(self):
        files = project.output("git", "ls-files", "*.md", "*.txt", "*.toml", "*.json", "*.lua").splitlines()
        self.assertGreater(len(files), 100)
        for file in files:
            # A comment in Cargo.toml shows where the address belongs.
            if file == "Cargo.toml" or file.startswith("tests/"):
                continue
            found = re.search(r"https?://(…|OWNER|[\w.]*example\.(com|org)/\S*eval-ls|github\.com/OWNER)", (project.ROOT / file).read_text())
            self.assertIsNone(found, f"{file}: {found}")

    def test_a_tag_needs_an_address_and_pages_that_know_of_the_release(self):
        tag = f"v{project.version()}"
        with mock.patch.object(project, "changes"), mock.patch.object(project, "address_of_project", lambda: None):
            with self.assertRaisesRegex(project.Failure, "set `repository` under"):
                project.check_tag(tag)
        with mock.patch.object(project, "changes"), address(ADDRESS):
            announced = [page for page in project.PAGES if "first release" in (project.ROOT / page).read_text()]
            with self.assertRaisesRegex(project.Failure, "first release") if announced else contextlib.nullcontext():
                project.check_tag(tag)
            with self.assertRaisesRegex(project.Failure, "the tag is v9.9.9"):
                project.check_tag("v9.9.9")


class Assets(unittest.TestCase):
    def test_checksums_are_those_of_all_assets(self):
        with assets("b.zip", "a.tar.gz") as out:
            checksums.checksums()
            ran = subprocess.run(["sha256sum", "--check", "SHA256SUMS"], cwd=out, capture_output=True, text=True, check=True)
        self.assertEqual(ran.stdout, "a.tar.gz: OK\nb.zip: OK\n")

    def test_a_kind_that_fails_keeps_no_other_from_being_made(self):
        def fails():
            raise project.Failure("no tool; install it")

        with assets() as out, mock.patch.object(project, "OUT", out):
            made = {"broken": fails, "source": lambda: (out / "source.txt").write_text("x")}
            with mock.patch.object(kinds, "KINDS", made), self.assertRaisesRegex(project.Failure, "broken: no tool; install it"):
                kinds.make([])
            self.assertIn("  source.txt\n", (out / "SHA256SUMS").read_text())

    def test_each_name_of_a_platform_is_used_once(self):
        for names in (lambda target: target.vscode, lambda target: target.wheel.split("."), lambda target: [target.npm]):
            all_names = [name for target in targets.TARGETS for name in names(target)]
            self.assertEqual(len(all_names), len(set(all_names)))


if __name__ == "__main__":
    unittest.main()

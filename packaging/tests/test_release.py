"""Checks what `scripts/release` writes, without programs."""
import contextlib
import pathlib
import re
import subprocess
import tempfile
import tomllib
import unittest
from unittest import mock

import tree_sitter
import tree_sitter_ruby

from release import archives, assets as kinds, checksums, homebrew, project, readme, targets

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
        with mock.patch.multiple(checksums, OUT=out), mock.patch.multiple(homebrew, OUT=out):
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


class Binstall(unittest.TestCase):
    """`cargo binstall` finds the archives under the names in Cargo.toml."""

    def test_addresses_and_folders_are_those_of_the_archives(self):
        settings = tomllib.loads((project.ROOT / "Cargo.toml").read_text())["package"]
        binstall = settings["metadata"]["binstall"]
        # What `rustc --print host-tuple` prints, and the target whose program runs there.
        hosts = {target.triple: target for target in targets.TARGETS}
        for host, target in [
            ("x86_64-unknown-linux-gnu", "x86_64-unknown-linux-musl"),
            ("aarch64-unknown-linux-gnu", "aarch64-unknown-linux-musl"),
            ("x86_64-pc-windows-msvc", "x86_64-pc-windows-gnu"),
        ]:
            hosts[host] = targets.named(target)
        self.assertLessEqual(set(binstall["overrides"]), set(hosts))
        for host, target in hosts.items():
            found = {**binstall, **binstall["overrides"].get(host, {})}
            ending = ".exe" if "windows" in host else ""
            values = {"repo": ADDRESS, "version": settings["version"], "target": host, "bin": "eval-ls", "binary-ext": ending}

            def filled(key):
                return re.sub(r"\{ ([a-z-]+) \}", lambda name: values[name[1]], found[key])

            file = archives.archive_name(target)
            self.assertEqual(filled("pkg-url"), f"{ADDRESS}/releases/download/v{settings['version']}/{file}", host)
            self.assertEqual(filled("bin-dir"), f"eval-ls-{target.triple}/{target.program}", host)
            self.assertEqual(found["pkg-fmt"], {"gz": "tgz", "zip": "zip"}[file.rsplit(".")[-1]], host)


class Formula(unittest.TestCase):
    def test_it_is_ruby_with_the_checksum_of_each_archive(self):
        names = [archives.archive_name(targets.named(triple)) for cpus in homebrew.PARTS.values() for triple in cpus.values()]
        with assets(*names) as out, address(ADDRESS):
            homebrew.formula()
            text = (out / "eval-ls.rb").read_text()
            for name in names:
                self.assertIn(f'url "{ADDRESS}/releases/download/v{project.version()}/{name}"', text)
                self.assertIn(f'sha256 "{checksums.digest(out / name)}"', text)
        tree = tree_sitter.Parser(tree_sitter.Language(tree_sitter_ruby.language())).parse(text.encode())
        self.assertFalse(tree.root_node.has_error, text)
        (formula,) = tree.root_node.named_children
        self.assertEqual((formula.type, formula.child_by_field_name("name").text), ("class", b"EvalLs"))


class Address(unittest.TestCase):
    def test_no_page_and_no_package_has_a_placeholder(self):
        files = project.output("git", "ls-files", "*.md", "*.txt", "*.toml", "*.json", "*.lua", "*.nix").splitlines()
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

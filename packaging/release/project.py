"""Facts about the project, and how the other parts call programs."""
import functools
import json
import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
OUT = ROOT / "target/release-assets"
PROGRAMS = OUT / "programs"
TOOLS = ROOT / "target/tools"
NAME = "eval-ls"
# The pages that say how to install the program.
PAGES = ["README.md", "docs/start.md", "docs/ci.md"]


class Failure(Exception):
    """A problem and its fix, in one sentence. `scripts/release` prints it and ends with exit status 1."""


def run(*command, **options):
    """Runs a program. Ends with a failure if it fails."""
    command = [str(part) for part in command]
    try:
        return subprocess.run(command, check=True, **{"cwd": ROOT, "stdin": subprocess.DEVNULL, **options})
    except FileNotFoundError:
        raise Failure(f"`{command[0]}` was not found; install it") from None
    except subprocess.CalledProcessError as error:
        raise Failure(f"`{' '.join(command)}` ended with exit status {error.returncode}") from None


def output(*command, **options):
    """What a program prints."""
    return run(*command, stdout=subprocess.PIPE, text=True, **options).stdout.strip()


@functools.cache
def package():
    """The package `eval-ls` in Cargo.toml, as cargo understands it."""
    metadata = json.loads(output("cargo", "metadata", "--locked", "--no-deps", "--format-version", "1"))
    return next(package for package in metadata["packages"] if package["name"] == NAME)


def version():
    return package()["version"]


def repository(needed_by):
    """The public address of the project. `needed_by` is the asset that cannot exist without it."""
    address = address_of_project()
    if not address:
        raise Failure(
            f"{needed_by} needs the address of the project; set `repository` under [package] in Cargo.toml, "
            f"for example \"https://github.com/OWNER/{NAME}\""
        )
    return address.rstrip("/").removesuffix(".git")


def has_repository():
    return bool(address_of_project())


def address_of_project():
    """`repository` in Cargo.toml. The variable EVAL_LS_REPOSITORY replaces it, also in the program."""
    return os.environ.get("EVAL_LS_REPOSITORY") or package()["repository"]


def is_checkout():
    return (ROOT / ".git").exists()


@functools.cache
def commit():
    """The commit in `eval-ls --version`. None outside of a checkout, or if tracked files were edited."""
    if os.environ.get("EVAL_LS_COMMIT"):
        return os.environ["EVAL_LS_COMMIT"]
    if not is_checkout():
        return None
    if output("git", "status", "--porcelain", "--untracked-files=no"):
        print("note: tracked files were edited, so --version names no commit", file=sys.stderr)
        return None
    return output("git", "rev-parse", "--short=10", "HEAD")


@functools.cache
def epoch():
    """The time that all assets have, in seconds: SOURCE_DATE_EPOCH, else that of the commit, else 1980."""
    if os.environ.get("SOURCE_DATE_EPOCH"):
        return int(os.environ["SOURCE_DATE_EPOCH"])
    return int(output("git", "log", "-1", "--format=%ct")) if is_checkout() else 315_532_800


def changes():
    """The entries of this version in CHANGELOG.md."""
    text = (ROOT / "CHANGELOG.md").read_text()
    found = re.search(rf"^## \[?{re.escape(version())}\b.*?\n(.*?)(?=^## |\Z)", text, re.M | re.S)
    if not found:
        raise Failure(f"CHANGELOG.md has no section for {version()}; move the entries under *Unreleased* to it")
    return found[1].strip()


def check_tag(tag):
    """Fails if a file of the release has another version than the tag, the assets cannot have addresses, or a page says that there is no
    release."""
    packages = ["editors/vscode/package.json", "editors/agents/claude-code/.claude-plugin/plugin.json"]
    packages = [(file, json.loads((ROOT / file).read_text())["version"]) for file in packages]
    action = re.search(r"eval-ls@v(\S+)", (ROOT / "docs/ci.md").read_text())[1]
    for file, found in [("Cargo.toml", version()), *packages, ("docs/ci.md", action)]:
        if f"v{found}" != tag:
            raise Failure(f"{file} has the version {found}, and the tag is {tag}; correct one of them")
    changes()
    repository("a release")
    for page in PAGES:
        if "first release" in (ROOT / page).read_text():
            raise Failure(f"{page} says that the first release is still to come; correct it")


def notices():
    """The files that every package of the program contains: name in the package, and path."""
    return [(name, ROOT / name) for name in ("LICENSE", "THIRD_PARTY_NOTICES.md")]

"""Packages for crates.io: `cargo install eval-ls`. `cargo package` builds the program from them."""
import os
import shutil
from pathlib import Path

from .project import NAME, OUT, ROOT, package, run, version


def crates(verify=True):
    """Packs both crates. With `verify`, builds them from the packages alone."""
    options = [] if verify else ["--no-verify"]
    run("cargo", "package", "--locked", "--workspace", "--allow-dirty", "--quiet", *options)
    folder = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")) / "package"
    for name, number in [(NAME, version()), (f"{NAME}-pcre2-sys", pcre2_version())]:
        shutil.copyfile(folder / f"{name}-{number}.crate", OUT / f"{name}-{number}.crate")


def pcre2_version():
    requirement = next(need for need in package()["dependencies"] if need["name"] == f"{NAME}-pcre2-sys")
    return requirement["req"].lstrip("^=")

"""The package for crates.io: `cargo install eval-ls`. `cargo package` builds the program from it."""
import os
import shutil
from pathlib import Path

from .project import NAME, OUT, ROOT, run, version


def crate():
    """Packs the crate, and builds it from the package alone."""
    run("cargo", "package", "--locked", "--allow-dirty", "--quiet")
    folder = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")) / "package"
    name = f"{NAME}-{version()}.crate"
    shutil.copyfile(folder / name, OUT / name)

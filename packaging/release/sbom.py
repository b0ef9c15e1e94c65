"""The software bill of materials in CycloneDX, by `cargo cyclonedx`."""
import json
import os
import re

from .project import NAME, OUT, ROOT, TOOLS, epoch, run

TOOL = "cargo-cyclonedx@0.5.9"


def sbom(target):
    """Writes the packages that the program of a target is built from, without those that only run while it is compiled."""
    name = f"{NAME}-{target.triple}.cdx"
    options = ["--format", "json", "--spec-version", "1.5", "--target", target.triple, "--no-build-deps", "--override-filename", name]
    environment = {**os.environ, "SOURCE_DATE_EPOCH": str(epoch())}
    run(tool(), "cyclonedx", "--quiet", "--manifest-path", ROOT / "Cargo.toml", *options, env=environment)
    written = ROOT / f"{name}.json"
    text = written.read_text()
    written.unlink()
    (OUT / f"{name}.json").write_text(json.dumps(reproducible(json.loads(text)), indent=2) + "\n")


def reproducible(document):
    """Removes the random number of the document, and the folder in which it was made."""
    document.pop("serialNumber", None)
    text = json.dumps(document)
    text = re.sub(re.escape(f"path+file://{ROOT}"), "path+file:///eval-ls", text)
    return json.loads(text)


def tool():
    """The program, which is built if it is not there. That takes some minutes."""
    folder = TOOLS / TOOL.replace("@", "-")
    program = folder / "bin/cargo-cyclonedx"
    if not program.exists():
        run("cargo", "install", "--quiet", "--locked", "--root", folder, TOOL)
    return program

"""The WebAssembly module as a package for npm, and the extension of VS Code for browsers, which contains it."""
from . import vsix
from .project import OUT, ROOT, run

PACKAGE = ROOT / "editors/web"


def build():
    """Builds the module and the package around it."""
    run(ROOT / "scripts/build-wasm")
    run("npm", "ci", "--no-audit", "--no-fund", "--loglevel=error", cwd=PACKAGE)
    run("npm", "run", "--silent", "build", cwd=PACKAGE)


def assets():
    """Writes both."""
    build()
    run("npm", "pack", "--silent", "--pack-destination", OUT, cwd=PACKAGE)
    vsix.install()
    vsix.vsix("web")

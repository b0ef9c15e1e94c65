"""Extensions for VS Code: one for each platform, and one without a program."""
import os

from .project import NAME, OUT, ROOT, epoch, run

EXTENSION = ROOT / "editors/vscode"


def install():
    """Installs the npm packages that the build of the extension needs."""
    if not (EXTENSION / "node_modules/.bin/vsce").exists():
        run("npm", "ci", "--no-audit", "--no-fund", "--loglevel=error", cwd=EXTENSION)


def vsix(platform, program=None):
    """Writes the extension of a platform of VS Code. `universal` has no program."""
    environment = {
        **os.environ,
        "EVAL_LS_PLATFORM": platform,
        "EVAL_LS_VSIX": str(OUT / f"{NAME}-{platform}.vsix"),
        "SOURCE_DATE_EPOCH": str(epoch()),
        "TZ": "UTC",
    }
    if program:
        environment["EVAL_LS_BINARY"] = str(program)
    run("node", "scripts/package.mjs", cwd=EXTENSION, env=environment)

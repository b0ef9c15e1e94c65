"""Packages for npm: `npx eval-ls`. The package `eval-ls` finds the program in the package of the system, of which npm installs
only the one that fits."""
import json

from .archives import tar_gz
from .project import NAME, OUT, ROOT, has_repository, notices, package, repository, version
from .readme import readme
from .targets import TARGETS

LAUNCHER = ROOT / "packaging/npm/eval-ls.js"


def described(name, description, **more):
    """A package.json."""
    about = {"name": name, "version": version(), "description": description, "license": package()["license"]}
    if has_repository():
        about["repository"] = {"type": "git", "url": f"git+{repository('the npm package')}.git"}
    return (json.dumps({**about, **more}, indent=2) + "\n").encode()


def write(file, entries):
    tar_gz(OUT / file, [(f"package/{name}", content, is_program) for name, content, is_program in entries])


def texts():
    return [(name, path.read_bytes(), False) for name, path in notices()]


def program_package(target):
    """`@eval-ls/linux-x64`, for example: the program alone."""
    system, cpu = target.npm.split("-")
    title = f"The program of {NAME} for {target.npm}. Install the package {NAME} instead."
    # Windows on arm64 runs programs for x64.
    cpus = [cpu, "arm64"] if system == "win32" else [cpu]
    # Yarn must not keep it as a zip file: a program in one cannot run.
    about = described(f"@{NAME}/{target.npm}", title, os=[system], cpu=cpus, preferUnplugged=True)
    readme = f"# {title}\n".encode()
    entries = [("package.json", about, False), ("README.md", readme, False), (f"bin/{target.program}", target.path.read_bytes(), True)]
    write(f"npm-{NAME}-{target.npm}-{version()}.tgz", [*entries, *texts()])


def main_package():
    programs = {f"@{NAME}/{target.npm}": version() for target in TARGETS}
    about = described(
        NAME,
        package()["description"],
        keywords=package()["keywords"],
        bin={NAME: f"bin/{NAME}.js"},
        engines={"node": ">=18"},
        optionalDependencies=programs,
    )
    text = readme("npm install --global eval-ls").encode()
    entries = [("package.json", about, False), ("README.md", text, False), (f"bin/{NAME}.js", LAUNCHER.read_bytes(), True)]
    write(f"npm-{NAME}-{version()}.tgz", [*entries, *texts()])

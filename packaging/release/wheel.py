"""Wheels for PyPI: `uvx eval-ls`, `pipx install eval-ls`, `pip install eval-ls`.

A wheel is a zip file with the program and three files about it (https://packaging.python.org, *Binary distribution format*).
"""
import base64
import hashlib

from .archives import zip_file
from .project import NAME, OUT, has_repository, notices, package, repository, version
from .readme import readme

# A wheel's name has no hyphens.
MODULE = NAME.replace("-", "_")
MAIN = '''"""`python -m eval_ls` runs the program of this package."""
import os
import subprocess
import sys
import sysconfig


def find():
    """Returns the path of the program, which is beside Python or in the scripts of the user."""
    name = "eval-ls" + (sysconfig.get_config_var("EXE") or "")
    user = sysconfig.get_preferred_scheme("user")
    folders = [sysconfig.get_path("scripts"), sysconfig.get_path("scripts", scheme=user)]
    paths = [os.path.join(folder, name) for folder in folders]
    for path in paths:
        if os.path.isfile(path):
            return path
    raise FileNotFoundError(f"eval-ls is not in {' or '.join(folders)}; install the package again")


def main():
    program = [find(), *sys.argv[1:]]
    if sys.platform == "win32":
        sys.exit(subprocess.run(program).returncode)
    os.execv(program[0], program)


if __name__ == "__main__":
    main()
'''


def wheel(target):
    stem = f"{MODULE}-{version()}"
    info = f"{stem}.dist-info"
    tag = f"py3-none-{target.wheel}"
    entries = [
        (f"{MODULE}/__init__.py", b'"""The program eval-ls. It has no interface for Python."""\n', False),
        (f"{MODULE}/__main__.py", MAIN.encode(), False),
        (f"{stem}.data/scripts/{target.program}", target.path.read_bytes(), True),
        (f"{info}/METADATA", metadata().encode(), False),
        (f"{info}/WHEEL", wheel_file(target.wheel).encode(), False),
        *((f"{info}/licenses/{name}", path.read_bytes(), False) for name, path in notices()),
    ]
    lines = [f"{name},sha256={digest(content)},{len(content)}" for name, content, _ in entries]
    record = "\n".join([*lines, f"{info}/RECORD,,", ""])
    zip_file(OUT / f"{stem}-{tag}.whl", [*entries, (f"{info}/RECORD", record.encode(), False)])


def digest(content):
    return base64.urlsafe_b64encode(hashlib.sha256(content).digest()).decode().rstrip("=")


def wheel_file(platforms):
    tags = "".join(f"Tag: py3-none-{platform}\n" for platform in platforms.split("."))
    return f"Wheel-Version: 1.0\nGenerator: {NAME} scripts/release\nRoot-Is-Purelib: false\n{tags}"


def metadata():
    about = package()
    lines = [
        "Metadata-Version: 2.4",
        f"Name: {NAME}",
        f"Version: {version()}",
        f"Summary: {about['description']}",
        f"Keywords: {','.join(about['keywords'])}",
        f"License-Expression: {about['license']} AND BSD-3-Clause AND Apache-2.0",
        *(f"License-File: {name}" for name, _ in notices()),
        "Classifier: Environment :: Console",
        "Classifier: Programming Language :: Rust",
        "Classifier: Topic :: Software Development :: Quality Assurance",
        "Requires-Python: >=3.8",
    ]
    if has_repository():
        lines += [f"Project-URL: Source, {repository('the wheel')}"]
    return "\n".join([*lines, "Description-Content-Type: text/markdown", "", readme("pip install eval-ls")])

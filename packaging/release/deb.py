"""Packages for Debian and Ubuntu. The program is static, so they depend on nothing."""
import gzip
import os
import shutil
import tempfile
import time
from pathlib import Path

from .archives import pages
from .project import NAME, OUT, epoch, has_repository, notices, package, repository, run, version

MAINTAINER = f"the {NAME} authors"
COMPLETIONS = {
    f"{NAME}.bash": f"usr/share/bash-completion/completions/{NAME}",
    f"_{NAME}": f"usr/share/zsh/vendor-completions/_{NAME}",
    f"{NAME}.fish": f"usr/share/fish/vendor_completions.d/{NAME}.fish",
}


def deb(target):
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        for name, (content, mode) in files(target).items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
            path.chmod(mode)
        size = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file()) // 1024
        (folder / "DEBIAN").mkdir()
        (folder / "DEBIAN/control").write_text(control(target, size))
        for path in [folder, *folder.rglob("*")]:
            if path.is_dir():
                path.chmod(0o755)
        environment = {**os.environ, "SOURCE_DATE_EPOCH": str(epoch())}
        package_file = OUT / f"{NAME}_{version()}-1_{target.deb}.deb"
        run("dpkg-deb", "--root-owner-group", "-Zxz", "--build", folder, package_file, env=environment)


def can_build():
    return shutil.which("dpkg-deb") is not None


def files(target):
    """The files of the package: name, content and mode."""
    found = {f"usr/bin/{NAME}": (target.path.read_bytes(), 0o755)}
    for name, content in pages():
        if name == f"man/{NAME}.1":
            found[f"usr/share/man/man1/{NAME}.1.gz"] = (gzip.compress(content, 9, mtime=0), 0o644)
        elif place := COMPLETIONS.get(name.removeprefix("completions/")):
            found[place] = (content, 0o644)
    documents = f"usr/share/doc/{NAME}"
    found[f"{documents}/copyright"] = (b"\n\n".join(path.read_bytes() for _, path in notices()), 0o644)
    found[f"{documents}/changelog.Debian.gz"] = (gzip.compress(changelog().encode(), 9, mtime=0), 0o644)
    return found


def changelog():
    when = time.strftime("%a, %d %b %Y %H:%M:%S +0000", time.gmtime(epoch()))
    return f"{NAME} ({version()}-1) unstable; urgency=low\n\n  * Version {version()}.\n\n -- {MAINTAINER}  {when}\n"


def control(target, size):
    summary, _, rest = package()["description"].partition(": ")
    lines = [
        f"Package: {NAME}",
        f"Version: {version()}-1",
        f"Architecture: {target.deb}",
        f"Maintainer: {MAINTAINER}",
        f"Installed-Size: {size}",
        "Section: devel",
        "Priority: optional",
        "Recommends: git",
        f"Description: {summary[0].lower()}{summary[1:]}",
        f" {rest[0].upper()}{rest[1:]}.",
    ]
    if has_repository():
        lines.insert(-2, f"Homepage: {repository('the Debian package')}")
    return "\n".join(lines) + "\n"

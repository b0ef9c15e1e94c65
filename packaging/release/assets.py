"""The kinds of assets, and how each is made."""
import sys
import time

from . import archives, checksums, crates, deb, homebrew, mason, npm, project, sbom, targets, vsix, web, wheel


def each(make):
    """Makes an asset of every target that is built."""
    for target in targets.built():
        make(target)


def debs():
    if not deb.can_build():
        raise project.Failure("the Debian packages need `dpkg-deb`; install dpkg")
    for target in targets.built():
        if target.deb:
            deb.deb(target)


def extensions():
    vsix.install()
    vsix.vsix("universal")
    for target in targets.built():
        for platform in target.vscode:
            vsix.vsix(platform, target.path)


def npm_packages():
    each(npm.program_package)
    npm.main_package()


# In the order in which they are made: the formula has the checksums of the archives.
KINDS = {
    "archive": lambda: each(archives.archive),
    "source": archives.source,
    "sbom": lambda: each(sbom.sbom),
    "vsix": extensions,
    "web": web.assets,
    "wheel": lambda: each(wheel.wheel),
    "npm": npm_packages,
    "deb": debs,
    "crate": crates.crate,
    "homebrew": homebrew.formula,
    "mason": mason.entry,
}
# What cannot be made before the project has an address. Without one, it is left out unless it is named.
NEED_ADDRESS = {"homebrew", "mason"}


def make(kinds):
    """Makes these kinds of assets, or all. The others are made if one fails, and the checksums are those of all that exist."""
    project.OUT.mkdir(parents=True, exist_ok=True)
    failures = []
    for kind in kinds or KINDS:
        if not kinds and kind in NEED_ADDRESS and not project.has_repository():
            print(f"left out: {kind}, because Cargo.toml has no `repository`", file=sys.stderr)
            continue
        start = time.monotonic()
        try:
            KINDS[kind]()
        except project.Failure as failure:
            failures.append(f"{kind}: {failure}")
        else:
            print(f"{kind}: {time.monotonic() - start:.1f} s", flush=True)
    checksums.checksums()
    if failures:
        raise project.Failure("; ".join(failures))

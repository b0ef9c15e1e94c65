"""The kinds of assets, and how each is made."""
import time

from . import archives, checksums, crates, npm, project, sbom, targets, vsix, web, wheel


def each(make):
    """Makes an asset of every target that is built."""
    for target in targets.built():
        make(target)


def extensions():
    vsix.install()
    vsix.vsix("universal")
    for target in targets.built():
        for platform in target.vscode:
            vsix.vsix(platform, target.path)


def npm_packages():
    each(npm.program_package)
    npm.main_package()


KINDS = {
    "archive": lambda: each(archives.archive),
    "source": archives.source,
    "sbom": lambda: each(sbom.sbom),
    "vsix": extensions,
    "web": web.assets,
    "wheel": lambda: each(wheel.wheel),
    "npm": npm_packages,
    "crate": crates.crate,
}


def make(kinds):
    """Makes these kinds of assets, or all. The others are made if one fails, and the checksums are those of all that exist."""
    project.OUT.mkdir(parents=True, exist_ok=True)
    failures = []
    for kind in kinds or KINDS:
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

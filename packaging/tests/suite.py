"""Runs the installers, and compares two builds."""
import sys
import time

from release.project import Failure
from . import action, macho, web
from .installers import INSTALLERS
from .place import Place, has

# What is not the program: the name, a function that returns lines, and the program that it needs.
READ = {"macos": (macho.linked, None), "web": (web.used, "npm")}


def run(names, again):
    """Tests the named assets, or all. Compares the bytes of these builds, if there are any. Returns the exit status."""
    known = {**{name: (install, need) for name, install, need in INSTALLERS}, "action": (action.action, "curl"), **READ}
    for name in names:
        if name not in known:
            raise Failure(f"{name} is not an asset; use one of {', '.join(known)}")
    failed = []
    print(f"{'asset':10}{'install':>9}{'use':>9}{'README':>9}  version")
    for name in names or known:
        install, need = known[name]
        if need and not has(need):
            print(f"{name:10}{'–':>9}{'–':>9}{'–':>9}  not tested: `{need}` is not installed")
            continue
        try:
            if name in READ:
                for line in install():
                    print(f"{name:10}{line}", flush=True)
            else:
                print(f"{name:10}{test(install)}", flush=True)
        except (Failure, AssertionError, OSError) as failure:
            failed.append(name)
            print(f"{name:10} failed: {failure!r}" if not isinstance(failure, Failure) else f"{name:10} failed: {failure}", flush=True)
    if again:
        again.compare()
    if failed:
        print(f"failed: {', '.join(failed)}", file=sys.stderr)
    return 1 if failed else 0


def test(install):
    """Installs an asset in an empty place, uses it, and removes it. Returns the times, and the version."""
    with Place() as here:
        start = time.monotonic()
        installer = install(here)
        program = next(installer)
        installed = time.monotonic() - start
        program = program if isinstance(program, tuple) else (program,)
        used, version = here.use(*program)
        first = here.first_steps(*program)
        # The rest of an installer removes the program, or stops its server.
        for _ in installer:
            pass
        return f"{installed:7.1f} s{used:7.1f} s{first:7.1f} s  {version}"

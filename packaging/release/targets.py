"""The systems that a release has programs for, and what each channel calls them."""
import dataclasses
import pathlib
import platform
import sys

from .project import NAME, PROGRAMS, Failure


@dataclasses.dataclass(frozen=True)
class Target:
    """A system. `triple` is its name in Rust; the other fields are its names elsewhere."""

    triple: str
    npm: str
    """The npm package; its two parts are the values of `os` and `cpu`."""
    wheel: str
    """The platform tags of the wheel."""
    vscode: tuple
    """The platforms of VS Code. Those of Alpine receive the same static program."""
    oldest_macos: str = ""

    @property
    def program(self):
        return NAME + (".exe" if "windows" in self.triple else "")

    @property
    def path(self):
        """Where the program is after the build."""
        return PROGRAMS / self.triple / self.program

    @property
    def is_apple(self):
        return "apple" in self.triple


TARGETS = [
    # The Linux programs are static, so they have the tags of all C libraries.
    Target(
        "x86_64-unknown-linux-musl",
        npm="linux-x64",
        wheel="manylinux_2_17_x86_64.manylinux2014_x86_64.musllinux_1_1_x86_64",
        vscode=("linux-x64", "alpine-x64"),
    ),
    Target(
        "aarch64-unknown-linux-musl",
        npm="linux-arm64",
        wheel="manylinux_2_17_aarch64.manylinux2014_aarch64.musllinux_1_1_aarch64",
        vscode=("linux-arm64", "alpine-arm64"),
    ),
    # Windows on arm64 runs programs for x64.
    Target("x86_64-pc-windows-gnu", npm="win32-x64", wheel="win_amd64.win_arm64", vscode=("win32-x64", "win32-arm64")),
    Target("x86_64-apple-darwin", npm="darwin-x64", wheel="macosx_10_12_x86_64", vscode=("darwin-x64",), oldest_macos="10.12"),
    Target("aarch64-apple-darwin", npm="darwin-arm64", wheel="macosx_11_0_arm64", vscode=("darwin-arm64",), oldest_macos="11.0"),
]


def named(triple):
    for target in TARGETS:
        if target.triple == triple:
            return target
    raise Failure(f"{triple} is not a target of releases; use one of {', '.join(target.triple for target in TARGETS)}")


def built():
    """The targets whose program exists."""
    found = [target for target in TARGETS if target.path.is_file()]
    if not found:
        raise Failure("there is no program yet; run `scripts/release build`")
    return found


def buildable():
    """The targets that this machine builds: on macOS, those of macOS, with Apple's tools."""
    return [target for target in TARGETS if target.is_apple or sys.platform != "darwin"]


def of_this_machine():
    """The target whose program runs here."""
    system = {"linux": "unknown-linux-musl", "darwin": "apple-darwin", "win32": "pc-windows-gnu"}.get(sys.platform, "")
    cpu = {"arm64": "aarch64", "AMD64": "x86_64"}.get(platform.machine(), platform.machine())
    return named(f"{cpu}-{system}")


def program_here() -> pathlib.Path:
    path = of_this_machine().path
    if not path.is_file():
        raise Failure(f"{path} does not exist; run `scripts/release build {of_this_machine().triple}`")
    return path

"""The programs for macOS, which do not run here: what their headers say about the system that they need."""
import struct

from release import targets
from release.project import Failure

MAGIC = 0xFEEDFACF
CPU = {"x86_64": 0x01000007, "aarch64": 0x0100000C}
LOAD_DYLIB, LOAD_WEAK_DYLIB, CODE_SIGNATURE, VERSION_MIN, BUILD_VERSION = 0xC, 0x80000018, 0x1D, 0x24, 0x32
# Folders of libraries that every Mac has.
SYSTEM = ("/usr/lib/", "/System/Library/Frameworks/")


def commands(program):
    """The load commands: number, and bytes from the number on."""
    magic, _, _, _, count, size, _, _ = struct.unpack_from("<8I", program)
    if magic != MAGIC:
        raise Failure("the program is not a Mach-O file of 64 bits")
    at = 32
    for _ in range(count):
        number, length = struct.unpack_from("<2I", program, at)
        yield number, program[at : at + length]
        at += length
    assert at == 32 + size


def text(command, at):
    return command[at:].split(b"\0")[0].decode()


def check(target):
    """Fails unless the program needs only libraries of the system, runs on the oldest macOS of the target, and is signed (Macs with
    an ARM processor run no other)."""
    program = target.path.read_bytes()
    cpu = target.triple.split("-")[0]
    if struct.unpack_from("<2I", program)[1] != CPU[cpu]:
        raise Failure(f"{target.triple}: the program is for another processor")
    found = list(commands(program))
    libraries = [text(command, struct.unpack_from("<I", command, 8)[0]) for number, command in found if number in (LOAD_DYLIB, LOAD_WEAK_DYLIB)]
    foreign = [library for library in libraries if not library.startswith(SYSTEM)]
    if foreign or not libraries:
        raise Failure(f"{target.triple}: the program needs {foreign or 'no library'}")
    places = {VERSION_MIN: 8, BUILD_VERSION: 12}
    packed = [struct.unpack_from("<I", command, places[number])[0] for number, command in found if number in places]
    oldest = [f"{version >> 16}.{version >> 8 & 255}" for version in packed]
    if oldest != [target.oldest_macos]:
        raise Failure(f"{target.triple}: the program needs macOS {oldest}, not {target.oldest_macos}")
    if cpu == "aarch64" and not any(number == CODE_SIGNATURE for number, _ in found):
        raise Failure(f"{target.triple}: the program has no signature")
    return libraries


def linked():
    """Checks the programs for macOS that are built. Returns a line for each."""
    for target in targets.TARGETS:
        if target.is_apple and target.path.is_file():
            yield f"{target.triple}: macOS {target.oldest_macos}, {', '.join(sorted(check(target)))}"

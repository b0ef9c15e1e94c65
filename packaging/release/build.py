"""Builds the programs. Two builds of a commit have the same bytes, in whatever folder they take place.

All are built with Zig's C compiler and linker, which PyPI has; no other cross compiler is needed, and no SDK of Apple: Zig knows the
libraries of macOS. On macOS, Apple's tools build the programs for macOS.
"""
import os
import shutil
import subprocess
import sys

from .project import NAME, ROOT, TOOLS, commit, epoch, output, run

ZIG = ["ziglang==0.17.1", "cargo-zigbuild==0.24.0"]


# For tests: the same build without its slowest parts.
QUICK = ['profile.dist.lto="off"', "profile.dist.opt-level=0", "profile.dist.codegen-units=16"]


def build(target, quick=False):
    """Builds the program of a target and puts it into the folder of the programs."""
    install_target(target.triple)
    folder = os.environ.get("CARGO_TARGET_DIR") or str(ROOT / "target/release-build")
    environment = {**os.environ, "CARGO_TARGET_DIR": folder, "CARGO_INCREMENTAL": "0", "SOURCE_DATE_EPOCH": str(epoch())}
    # A setting of the user would change the program.
    for name in [name for name in environment if name.startswith("CARGO_PROFILE_")]:
        del environment[name]
    with_zig = not target.is_apple or sys.platform != "darwin"
    renamed = [rule for rule in renamed_paths(folder) if " " not in rule]
    environment["RUSTFLAGS"] = " ".join(f"--remap-path-prefix={rule}" for rule in renamed)
    environment["CFLAGS"] = " ".join([*(f"-ffile-prefix-map={rule}" for rule in renamed), "-g0"])
    environment["PCRE2_SYS_STATIC"] = "1"
    if commit():
        environment["EVAL_LS_COMMIT"] = commit()
    if target.is_apple:
        # The oldest system that Rust supports, so that the linker does not choose a newer one.
        environment["MACOSX_DEPLOYMENT_TARGET"] = target.oldest_macos
    how = ["zigbuild"] if with_zig else ["build"]
    if with_zig:
        environment["PATH"] = f"{zig()}{os.pathsep}{environment['PATH']}"
    settings = [option for setting in (QUICK if quick else []) for option in ("--config", setting)]
    run("cargo", *how, "--locked", "--profile", "dist", *settings, "--bin", NAME, "--target", target.triple, env=environment)
    target.path.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy2(os.path.join(folder, target.triple, "dist", target.program), target.path)
    print(f"{target.path.relative_to(ROOT)}: {target.path.stat().st_size:,} bytes")


def renamed_paths(folder):
    """The rules that replace the paths of this machine in the program, as `PATH=NAME`. The last one that matches wins."""
    home = os.environ.get("CARGO_HOME") or os.path.expanduser("~/.cargo")
    registry = os.path.join(home, "registry/src")
    sources = sorted(os.listdir(registry)) if os.path.isdir(registry) else []
    yield f"{ROOT}=/{NAME}"
    yield f"{folder}=/target"
    for source in sources:
        yield f"{os.path.join(registry, source)}=/crates"


def install_target(triple):
    if triple not in output("rustup", "target", "list", "--installed").split():
        run("rustup", "target", "add", triple)


def zig():
    """The folder of Zig and cargo-zigbuild, which are installed if they are not there."""
    folder = TOOLS / ("-".join(ZIG).replace("==", "-"))
    programs = folder / "bin"
    if not (programs / "cargo-zigbuild").exists():
        run(sys.executable, "-m", "venv", folder)
        pip = [programs / "pip", "install", "--quiet", "--disable-pip-version-check", *ZIG]
        run(*pip, stdout=subprocess.DEVNULL)
    return programs

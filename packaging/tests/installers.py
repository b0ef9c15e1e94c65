"""Each function installs an asset in a place, and returns the command that starts the program."""
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile

from release import targets
from release.project import NAME, OUT, ROOT, TOOLS, run, version
from . import lsp, place
from .pcre2 import DECOY
from .registry import registry

UV = "uv==0.9.7"
PRE_COMMIT = "pre-commit==4.7.0"
# An address that no project has.
ADDRESS = "https://example.com/owner/eval-ls"


def archive(here):
    """The archive, unpacked."""
    name = f"{NAME}-{targets.of_this_machine().triple}"
    here.run("tar", "-xzf", place.asset(f"{name}.tar.gz"))
    for file in ("LICENSE", "THIRD_PARTY_NOTICES.md", f"completions/{NAME}.bash"):
        assert (here.folder / name / file).stat().st_size > 0, file
    yield here.folder / name / NAME


def pre_commit(here):
    """The archive, and the hook of `.pre-commit-hooks.yaml` in a repository: it checks suites and no other JSON."""
    program = next(archive(here))
    folder = TOOLS / PRE_COMMIT.replace("==", "-")
    if not (folder / "bin/pre-commit").exists():
        run(sys.executable, "-m", "venv", folder)
        run(folder / "bin/pip", "install", "--quiet", "--disable-pip-version-check", PRE_COMMIT)
    here.environment["PATH"] = os.pathsep.join([str(program.parent), here.environment["PATH"]])
    here.environment |= {"GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": "safe.directory", "GIT_CONFIG_VALUE_0": "*"}
    project = here.folder / "project"
    shutil.copytree(here.folder / "examples", project / "examples", ignore=shutil.ignore_patterns("faulty"))
    (project / "evals").mkdir()
    (project / "evals/promptfooconfig.json").write_text('{"prompts": ["{{x}}"], "providers": ["p"], "tests": [{"vars": {"x": "y"}, "assert": []}]}')
    (project / "package.json").write_text('{"name": "p", "version": "1.0.0"}')
    hook = [folder / "bin/pre-commit", "try-repo", ROOT, f"{NAME}-check", "--verbose", "--all-files"]
    here.run("git", "init", "--quiet", cwd=project)
    here.run("git", "add", ".", cwd=project)
    here.run(*hook, cwd=project)
    (project / "evals/wrong.json").write_text('{"cases": [{"id": "A"}, {"id": "A"}]}')
    here.run("git", "add", ".", cwd=project)
    said = here.run(*hook, cwd=project, status=1)
    assert "evals/wrong.json" in said and "promptfoo" not in said and "package.json" not in said, said
    # A name that looks like an option does not replace the check.
    (project / "-h.json").write_text("{}")
    here.run("git", "add", ".", cwd=project)
    said = here.run(*hook, cwd=project, status=1)
    assert "evals/wrong.json" in said and "Usage:" not in said, said
    yield program


def vsix(here):
    """The program in the extension for this machine; the extension without a program has none."""
    file = place.asset(f"{NAME}-{targets.of_this_machine().vscode[0]}.vsix")
    here.run("unzip", "-q", file, "-d", "extension")
    assert "server/" not in here.run("unzip", "-l", place.asset(f"{NAME}-universal.vsix"))
    links = re.findall(r"\]\((?!https?://|data:|#)[^)]*\)", (here.folder / "extension/extension/readme.md").read_text())
    assert not links, links
    yield here.folder / f"extension/extension/server/{NAME}"


def pip(here):
    """The wheel, with pip in a virtual environment without an index; also `python -m eval_ls`."""
    python = virtual_environment(here)
    here.run(python, "-m", "pip", "install", "--quiet", "--no-index", "--find-links", OUT, NAME)
    here.run(python, "-m", "eval_ls", "check", "examples/faulty", status=1)
    yield python.parent / NAME
    here.run(python, "-m", "pip", "uninstall", "--quiet", "--yes", NAME)
    assert not (python.parent / NAME).exists()


def uvx(here):
    """The wheel, with `uvx eval-ls`."""
    folder = TOOLS / UV.replace("==", "-")
    if not (folder / "bin/uvx").exists():
        run(sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--root-user-action=ignore", "--target", folder, UV)
    yield folder / "bin/uvx", "--no-index", "--find-links", OUT, NAME


def npx(here):
    """The npm packages from a registry of this machine, with `npx eval-ls`, which also passes signals and the exit status."""
    with registry() as address:
        here.environment |= {"npm_config_registry": address, "npm_config_update_notifier": "false", "npm_config_yes": "true"}
        here.environment |= {"npm_config_audit": "false", "npm_config_fund": "false"}
        here.run("npm", "install", "--global", "--prefix", here.folder / "global", NAME)
        signals(here, here.folder / f"global/bin/{NAME}")
        yield "npx", "--yes", NAME


def signals(here, program):
    """A signal to the launcher ends the program, and the launcher has its exit status."""
    (here.folder / "agent.py").write_text("import time\ntime.sleep(600)\n")
    (here.folder / "slow").mkdir()
    (here.folder / "slow/eval-ls.toml").write_text('[run]\ntarget = "slow"\n[targets.slow]\nkind = "command"\ncommand = ["python3", "../agent.py"]\n')
    (here.folder / "slow/a.evals.json").write_text('{"name": "slow", "version": "0.1", "cases": [{"id": "A", "category": "c", "prompt": "p", "expected": {}}]}')
    # The shell waits for the run to start, which then creates its folder, and ends it.
    script = f'{program} run slow --no-check --format jsonl >events & launched=$!; until grep -q case-started events; do sleep 0.1; done; kill -TERM $launched; wait $launched'
    here.run("sh", "-c", script, status=130)


def crate(here):
    """The package for crates.io: `cargo install` from the unpacked crate, outside of the repository. Debug, which is faster. PCRE2 is
    built from its source, although pkg-config finds a library. The program knows an address of the project."""
    with tarfile.open(place.asset(f"{NAME}-{version()}.crate")) as packed:
        packed.extractall(here.folder, filter="data")
    (here.folder / "libpcre2-8.pc").write_text(DECOY)
    environment = place.elsewhere(CARGO_TARGET_DIR=os.environ.get("CARGO_TARGET_DIR", str(ROOT / "target")))
    environment |= {"PKG_CONFIG_PATH": str(here.folder), "PCRE2_SYS_STATIC": "1", "EVAL_LS_REPOSITORY": ADDRESS}
    install = ["cargo", "install", "--quiet", "--debug", "--path", f"{NAME}-{version()}", "--root", here.folder / "cargo"]
    here.run(*install, env=environment)
    program = here.folder / f"cargo/bin/{NAME}"
    yield program
    assert "pcre" not in here.run("ldd", program)
    addresses(here, program)


def addresses(here, program):
    """The pages of lints have their addresses in `explain` and in the diagnostics of a language server."""
    page = f"{ADDRESS}/blob/v{version()}/docs/lints/duplicate-case-id.md"
    assert here.run(program, "explain", "duplicate-case-id").endswith(f"\n{page}\n")
    server = subprocess.Popen([program, "lsp"], cwd=here.folder, env=here.environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    shown = {"textDocument": {"publishDiagnostics": {"codeDescriptionSupport": True}}}
    lsp.send(server, id=1, method="initialize", params={"processId": None, "capabilities": shown})
    lsp.wait_for(server, lambda message: message.get("id") == 1)
    lsp.send(server, method="initialized", params={})
    cases = '{"cases": [{"id": "A", "prompt": "p"}, {"id": "A", "prompt": "q"}]}'
    document = {"uri": f"file://{here.folder}/twice.evals.json", "languageId": "json", "version": 1, "text": cases}
    lsp.send(server, method="textDocument/didOpen", params={"textDocument": document})
    found = lsp.wait_for(server, lambda message: message.get("method") == "textDocument/publishDiagnostics")
    server.kill()
    links = [diagnostic.get("codeDescription", {}).get("href") for diagnostic in found["params"]["diagnostics"]]
    assert page in links, found


def arm64(here):
    """The program for arm64, with QEMU."""
    path = targets.named("aarch64-unknown-linux-musl").path
    yield "qemu-aarch64-static", path


def virtual_environment(here):
    here.run(sys.executable, "-m", "venv", here.folder / "venv")
    return here.folder / "venv/bin/python"


# The name of an asset, how to install it, and the program that this needs.
INSTALLERS = [
    ("archive", archive, "tar"),
    ("pre-commit", pre_commit, "git"),
    ("vsix", vsix, "unzip"),
    ("pip", pip, None),
    ("uvx", uvx, None),
    ("npx", npx, "npx"),
    ("crate", crate, None),
    ("arm64", arm64, "qemu-aarch64-static"),
]

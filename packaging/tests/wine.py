"""The program for Windows, with Wine."""
import contextlib
import os
import pathlib
import shutil
import signal
import subprocess
import time

from release.build import zig
from release.project import ROOT, TOOLS, Failure, run
from .lsp import send, wait_for
from .place import USES, Place

WINE = next((path for path in ("/usr/lib/wine/wine64", "/usr/bin/wine") if pathlib.Path(path).exists()), None)
STUB = TOOLS / "wine/bcryptprimitives.dll"
TREE = TOOLS / "wine/tree-2.exe"
# How long processes may take to end, in seconds.
PATIENCE = 30
# A program of Windows that answers `set` if it has the variables that programs expect, and else `missing`.
AGENT = """@echo off
set answer=set
for %%v in (TEMP USERPROFILE APPDATA PATHEXT SystemRoot) do if not defined %%v set answer=missing %%v
echo {"response": "%answer%"}
"""
SUITE = """{"name": "w", "version": "0.1", "cases": [
  {"id": "A", "category": "c", "prompt": "p", "expected": {"must_say_any": ["set"], "must_not_say": ["missing"]}}
]}
"""


def test(program):
    """Runs all tests. Prints a line for each."""
    if WINE is None:
        raise Failure("Wine is not installed; run `apt-get install wine64`")
    if not program.is_file():
        raise Failure(f"{program} does not exist; run `scripts/release build x86_64-pc-windows-gnu`")
    with Place() as here:
        shutil.copyfile(program, here.folder / "eval-ls.exe")
        here.environment |= {"WINEPREFIX": str(here.folder / "prefix"), "WINEDEBUG": "-all"}
        here.run(WINE, "cmd", "/c", "exit")
        if not list(pathlib.Path("/usr/lib").glob("*/wine/x86_64-windows/bcryptprimitives.dll")):
            shutil.copyfile(stub(), here.folder / "bcryptprimitives.dll")
        try:
            for check in (commands, paths, command_targets, trees, killed_run, ctrl_c, language_server, stopped_run, editor_gone):
                check(here)
                print(f"{check.__name__.replace('_', ' ')}: passed", flush=True)
        finally:
            subprocess.run([shutil.which("wineserver") or "/usr/lib/wine/wineserver", "--kill"], env=here.environment, check=False)


def stub():
    """The library that old versions of Wine miss."""
    if not STUB.exists():
        STUB.parent.mkdir(parents=True, exist_ok=True)
        source = ROOT / "packaging/tests/bcryptprimitives.c"
        compiler = [zig() / "python", "-m", "ziglang", "cc", "-target", "x86_64-windows-gnu", "-O2", "-s", "-shared"]
        run(*compiler, "-o", STUB, source, "-ladvapi32")
    return STUB


def tree_program():
    """The program that starts others."""
    if not TREE.exists():
        TREE.parent.mkdir(parents=True, exist_ok=True)
        compiler = [zig() / "python", "-m", "ziglang", "cc", "-target", "x86_64-windows-gnu", "-O2", "-s"]
        run(*compiler, "-o", TREE, ROOT / "packaging/tests/tree.c")
    return TREE


def commands(here):
    """The uses of `scripts/test-release`, with the same exit status."""
    _, version = here.use(WINE, "eval-ls.exe", uses=USES)
    print(version)


def paths(here):
    """Paths have one separator, also those that are not below the working directory."""
    said = here.run(WINE, "eval-ls.exe", "check", "examples/faulty", f"Z:{here.folder}/examples/faulty", status=1)
    mixed = [word for line in said.splitlines() for word in line.split() if "json:" in word and "/" in word and "\\" in word]
    if mixed or "json:" not in said:
        raise Failure(f"a path has both separators: {mixed[:3]}\n{said[:2000]}")


def command_targets(here):
    """A target named without its extension is found in PATH, and has the variables of Windows. A script is not a program."""
    folder = here.folder / "targets"
    (folder / "bin").mkdir(parents=True)
    (folder / "bin/agent.cmd").write_text(AGENT.replace("\n", "\r\n"))
    (folder / "agent.py").write_text("print(1)\n")
    (folder / "a.evals.json").write_text(SUITE)
    (folder / "eval-ls.toml").write_text(
        '[targets.named]\nkind = "command"\ncommand = ["agent", "x y", "%PATH%"]\n'
        '[targets.file]\nkind = "command"\ncommand = ["./bin/agent"]\n'
        '[targets.absent]\nkind = "command"\ncommand = ["no-such-agent"]\n'
        '[targets.script]\nkind = "command"\ncommand = ["./agent.py"]\n'
    )
    environment = {**here.environment, "WINEPATH": f"Z:{folder}/bin"}
    for target, status, expected in [
        ("named", 0, "1 passed"),
        ("file", 0, "1 passed"),
        ("absent", 5, "is not on PATH"),
        ("script", 5, "name its interpreter"),
    ]:
        command = [WINE, "../eval-ls.exe", "run", "--no-check", "--no-results", "--target", target]
        said = here.run(*command, status=status, cwd=folder, env=environment, stderr=subprocess.STDOUT)
        if expected not in said:
            raise Failure(f"the target `{target}` does not say “{expected}”:\n{said}")


def tree(here, name):
    """A folder with a suite, and two targets that start programs: one answers, one hangs. The folder's path is in their arguments."""
    folder = here.folder / name
    folder.mkdir()
    shutil.copyfile(tree_program(), folder / "tree.exe")
    (folder / "a.evals.json").write_text(SUITE)
    targets = [f'[targets.{what}]\nkind = "command"\ncommand = ["./tree", "{folder}", "{what}"]\n' for what in ("answer", "hang")]
    (folder / "eval-ls.toml").write_text("".join(targets))
    return folder


def running(*words):
    """The processes with these words in their command lines."""
    found = []
    for path in pathlib.Path("/proc").glob("[0-9]*/cmdline"):
        with contextlib.suppress(OSError):
            command = path.read_bytes().replace(b"\0", b" ").decode(errors="replace")
            if all(word in command for word in words):
                found.append(int(path.parent.name))
    return found


def wait_until(is_so, why):
    end = time.monotonic() + PATIENCE
    while not is_so():
        if time.monotonic() > end:
            raise Failure(f"{why} within {PATIENCE} s")
        time.sleep(0.1)


def wait_for_tree(folder):
    """Waits until the target and the last program of its tree run. The one in the middle has ended."""
    wait_until(lambda: running("tree", str(folder), " hang"), "the target did not start")
    wait_until(lambda: running("tree", str(folder), " last"), "the target started no program")


def wait_for_end(folder):
    wait_until(lambda: not running("tree", str(folder)), f"programs of the target did not end: {running('tree', str(folder))}")


def trees(here):
    """Programs that a target leaves running end with its case, although their parent has ended: by itself, and by a time limit."""
    folder = tree(here, "trees")
    options = ["--no-check", "--no-results"]
    command = [WINE, "../eval-ls.exe", "run", *options, "--target", "answer"]
    started = subprocess.Popen(command, cwd=folder, env=here.environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    wait_until(lambda: running("tree", str(folder), " last"), "the target started no program")
    if started.wait(PATIENCE) != 0:
        raise Failure(f"the run ended with {started.wait()}")
    wait_for_end(folder)
    said = here.run(WINE, "../eval-ls.exe", "run", *options, "--target", "hang", "--timeout", "3s", status=5, cwd=folder)
    if "timed out after 3s" not in said:
        raise Failure(f"the case did not time out:\n{said}")
    wait_for_end(folder)


def start_run(here, folder):
    command = [WINE, "../eval-ls.exe", "run", "--no-check", "--no-results", "--target", "hang"]
    started = subprocess.Popen(command, cwd=folder, env=here.environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    wait_for_tree(folder)
    return started


def killed_run(here):
    """The programs of a run end if the run is killed."""
    folder = tree(here, "killed")
    started = start_run(here, folder)
    os.kill(started.pid, signal.SIGKILL)
    started.wait()
    wait_for_end(folder)


def ctrl_c(here):
    """Ctrl-C cancels a run, and its programs end. Wine delivers an interrupt as Ctrl-C."""
    folder = tree(here, "interrupted")
    started = start_run(here, folder)
    os.kill(started.pid, signal.SIGINT)
    if started.wait(PATIENCE) != 130:
        raise Failure(f"the run ended with {started.wait()}, not 130")
    wait_for_end(folder)


def language_server(here):
    """A session with the URIs of VS Code: diagnostics have the client's own URI."""
    suite = next((here.folder / "examples/faulty").glob("*.json"))
    uri = "file:///z%3A" + str(suite)
    server = subprocess.Popen([WINE, "eval-ls.exe", "lsp"], cwd=here.folder, env=here.environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    send(server, id=1, method="initialize", params={"processId": None, "capabilities": {}})
    wait_for(server, lambda message: message.get("id") == 1)
    send(server, method="initialized", params={})
    document = {"uri": uri, "languageId": "json", "version": 1, "text": suite.read_text()}
    send(server, method="textDocument/didOpen", params={"textDocument": document})
    found = wait_for(server, lambda message: message.get("method") == "textDocument/publishDiagnostics")
    send(server, id=2, method="shutdown")
    wait_for(server, lambda message: message.get("id") == 2)
    send(server, method="exit")
    server.stdin.close()
    status = server.wait()
    if found["params"]["uri"] != uri or not found["params"]["diagnostics"] or status != 0:
        raise Failure(f"the server reported {found['params']['uri']} and ended with {status}")


def session(here, folder):
    """A language server that runs the case of the folder."""
    uri = "file:///z%3A" + str(folder / "a.evals.json")
    server = subprocess.Popen([WINE, "../eval-ls.exe", "lsp"], cwd=folder, env=here.environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    send(server, id=1, method="initialize", params={"processId": None, "capabilities": {"experimental": {"eval-ls": {"approve": False}}}})
    wait_for(server, lambda message: message.get("id") == 1)
    send(server, method="initialized", params={})
    document = {"uri": uri, "languageId": "json", "version": 1, "text": SUITE}
    send(server, method="textDocument/didOpen", params={"textDocument": document})
    send(server, id=2, method="eval-ls/run", params={"suites": [{"uri": uri}], "target": "hang"})
    response = wait_for(server, lambda message: message.get("id") == 2)
    if "error" in response:
        raise Failure(f"the run did not start: {response}")
    wait_for_tree(folder)
    return server


def stopped_run(here):
    """A case that is stopped ends with all its programs, and the server goes on."""
    folder = tree(here, "stopped")
    server = session(here, folder)
    send(server, id=3, method="eval-ls/stop", params={})
    wait_for(server, lambda message: message.get("id") == 3)
    wait_for_end(folder)
    send(server, id=4, method="shutdown")
    wait_for(server, lambda message: message.get("id") == 4)
    send(server, method="exit")
    server.stdin.close()
    if server.wait(PATIENCE) != 0:
        raise Failure(f"the server ended with {server.wait()}")


def editor_gone(here):
    """Runs end if the editor is gone, which closes the input of the server, and if the server is killed."""
    for name, end in [("closed", lambda server: server.stdin.close()), ("server-killed", lambda server: server.kill())]:
        folder = tree(here, name)
        server = session(here, folder)
        end(server)
        server.wait(PATIENCE)
        wait_for_end(folder)
        wait_until(lambda: not running("eval-ls.exe", " run ", folder.name), "the run did not end")

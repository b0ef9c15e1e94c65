"""The program for Windows, with Wine."""
import json
import pathlib
import shutil
import subprocess

from release.build import zig
from release.project import ROOT, TOOLS, Failure, run
from .place import USES, Place

WINE = next((path for path in ("/usr/lib/wine/wine64", "/usr/bin/wine") if pathlib.Path(path).exists()), None)
STUB = TOOLS / "wine/bcryptprimitives.dll"
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
            for check in (commands, paths, command_targets, language_server):
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
        ("absent", 5, "there is no such program in the folders of PATH"),
        ("script", 5, "name its interpreter"),
    ]:
        command = [WINE, "../eval-ls.exe", "run", "--no-check", "--no-results", "--target", target]
        said = here.run(*command, status=status, cwd=folder, env=environment, stderr=subprocess.STDOUT)
        if expected not in said:
            raise Failure(f"the target `{target}` does not say “{expected}”:\n{said}")


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


def wait_for(server, is_wanted):
    """The next message that is wanted."""
    for message in messages(server):
        if is_wanted(message):
            return message
    raise Failure(f"the server ended with {server.wait()} in the middle of the session")


def send(server, **message):
    body = json.dumps({"jsonrpc": "2.0", **message}).encode()
    server.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
    server.stdin.flush()


def messages(server):
    """The server's messages up to the end of its output. Its requests are answered with null."""
    while line := server.stdout.readline():
        length = int(line.split(b":")[1])
        while server.stdout.readline().strip():
            pass
        message = json.loads(server.stdout.read(length))
        if "method" in message and "id" in message:
            send(server, id=message["id"], result=None)
        yield message

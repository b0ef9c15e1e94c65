"""The WebAssembly package, from its archive in an empty project: a verdict of the module, and the license of everything in it."""
import json

from release.project import OUT, Failure, version
from .place import Place

PACKAGE = "eval-ls-web"
PROGRAM = """
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { Engine } from "eval-ls-web/engine";
import "eval-ls-web";

const engine = await Engine.start(await WebAssembly.compile(readFileSync(createRequire(import.meta.url).resolve("eval-ls-web/eval_ls.wasm"))));
const uri = "file:///w/a.evals.json";
const text = '{ "cases": [ { "id": "A", "prompt": "How many?", "expected": { "must_say_any": ["twelve"] } } ] }';
engine.receive({ jsonrpc: "2.0", id: 1, method: "initialize", params: { capabilities: {}, workspaceFolders: [{ uri: "file:///w", name: "w" }] } });
engine.receive({ jsonrpc: "2.0", method: "textDocument/didOpen", params: { textDocument: { uri, languageId: "json", version: 1, text } } });
const path = "/w/transcripts/a.evals/A.json";
engine.write(path, JSON.stringify({ format: "eval-ls/transcript@1", case: "A", prompt: "How many?", response: "twelve" }));
engine.receive({ jsonrpc: "2.0", method: "workspace/didChangeWatchedFiles", params: { changes: [{ uri: `file://${path}`, type: 1 }] } });
console.log(engine.receive({ jsonrpc: "2.0", id: 2, method: "eval-ls/proofs", params: { uri } })[0].result[0].status);
"""


def used():
    """The lines about the package. Fails unless it judges an answer, and has types and licenses."""
    archive = OUT / f"{PACKAGE}-{version()}.tgz"
    if not archive.exists():
        raise Failure(f"{archive.name} does not exist; run `scripts/release assets web`")
    with Place() as here:
        (here.folder / "package.json").write_text('{ "private": true, "type": "module" }')
        here.run("npm", "install", "--silent", "--no-audit", "--no-fund", archive)
        package = here.folder / "node_modules" / PACKAGE
        for name in ("README.md", "dist/LICENSE", "dist/THIRD_PARTY_NOTICES.md"):
            if not (package / name).is_file():
                raise Failure(f"the package has no {name}")
        needs = json.loads((package / "package.json").read_text())["dependencies"]
        for need in needs:
            if not (here.folder / "node_modules" / need).is_dir():
                raise Failure(f"npm does not install {need}")
        (here.folder / "program.js").write_text(PROGRAM)
        said = here.run("node", "program.js").strip()
        if said != "PASS":
            raise Failure(f"the module says {said}, not PASS")
    yield f"  {archive.name}, {archive.stat().st_size / 1e6:.1f} MB: the module judges an answer"

// What the recorded sessions do not show: files that change, and messages that are refused.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { Engine } from "../dist/engine.js";

const module = await WebAssembly.compile(readFileSync(new URL("../dist/eval_ls.wasm", import.meta.url)));
const SUITE = '{ "cases": [ { "id": "A", "prompt": "How many?", "expected": { "must_say_any": ["twelve"] } } ] }';
const uri = "file:///w/a.evals.json";

let id = 0;
const ask = (engine, method, params) => engine.receive({ jsonrpc: "2.0", id: ++id, method, params })[0];
const tell = (engine, method, params) => engine.receive({ jsonrpc: "2.0", method, params });
const status = (engine) => ask(engine, "eval-ls/proofs", { uri }).result[0].status;

async function opened() {
  const engine = await Engine.start(module);
  ask(engine, "initialize", { capabilities: {}, workspaceFolders: [{ uri: "file:///w", name: "w" }] });
  tell(engine, "textDocument/didOpen", { textDocument: { uri, languageId: "json", version: 1, text: SUITE } });
  return engine;
}

function answer(engine, response) {
  const path = "/w/transcripts/a.evals/A.json";
  engine.write(path, response && JSON.stringify({ format: "eval-ls/transcript@1", case: "A", prompt: "How many?", response }));
  tell(engine, "workspace/didChangeWatchedFiles", { changes: [{ uri: `file://${path}`, type: 2 }] });
}

test("the verdict follows the file of the answer", async () => {
  const engine = await opened();
  assert.equal(status(engine), null);
  answer(engine, "twelve");
  assert.equal(status(engine), "PASS");
  // The same length, at the same moment.
  answer(engine, "eleven");
  assert.equal(status(engine), "FAIL");
  answer(engine, null);
  assert.equal(status(engine), null);
});

test("the verdict follows eval-ls.toml", async () => {
  const engine = await opened();
  const text = SUITE.replace("twelve", "it's twelve");
  tell(engine, "textDocument/didChange", { textDocument: { uri, version: 2 }, contentChanges: [{ text }] });
  answer(engine, "it’s twelve");
  assert.equal(status(engine), "FAIL");
  engine.write("/w/eval-ls.toml", '[scoring]\nreading = "plain"\n');
  tell(engine, "workspace/didChangeWatchedFiles", { changes: [{ uri: "file:///w/eval-ls.toml", type: 1 }] });
  assert.equal(status(engine), "PASS");
});

test("a place in an answer counts UTF-16 code units", async () => {
  const engine = await opened();
  answer(engine, "😀 twelve");
  const [check] = ask(engine, "eval-ls/proofs", { uri }).result[0].checks.filter((check) => check.id === "must_say_any");
  assert.deepEqual(check.evidence, [{ start: 3, end: 9 }]);
});

test("half of a surrogate pair changes no text", async () => {
  const engine = await opened();
  answer(engine, "twelve");
  const change = { range: { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } }, text: "\ud83d" };
  tell(engine, "textDocument/didChange", { textDocument: { uri, version: 2 }, contentChanges: [change] });
  const remove = { range: { start: { line: 0, character: 0 }, end: { line: 0, character: 1 } }, text: "" };
  tell(engine, "textDocument/didChange", { textDocument: { uri, version: 3 }, contentChanges: [remove] });
  assert.equal(status(engine), "PASS");
});

test("a deeply nested text is read", async () => {
  const engine = await opened();
  for (const text of ["[".repeat(100_000), `{"cases":[${"{".repeat(300_000)}`, '{"cases":'.repeat(20_000), `{ "cases": ${"[".repeat(400)}${"]".repeat(400)} }`]) {
    const contentChanges = [{ text }];
    tell(engine, "textDocument/didChange", { textDocument: { uri, version: 2 }, contentChanges });
    ask(engine, "textDocument/documentSymbol", { textDocument: { uri } });
  }
  tell(engine, "textDocument/didChange", { textDocument: { uri, version: 3 }, contentChanges: [{ text: SUITE }] });
  assert.equal(status(engine), null);
});

test("only what is answered is announced", async () => {
  const engine = await Engine.start(module);
  const { capabilities } = ask(engine, "initialize", { capabilities: {} }).result;
  assert.deepEqual(Object.keys(capabilities.workspace), ["workspaceFolders"]);
  const providers = Object.keys(capabilities).filter((name) => name.endsWith("Provider") && name !== "executeCommandProvider");
  assert.ok(providers.length > 7, providers.join(" "));
  for (const provider of providers) {
    const method = `textDocument/${provider.replace("Provider", "")}`;
    assert.notEqual(ask(engine, method, {}).error?.code, -32601, method);
  }
});

test("what needs the program is refused, and nothing stops the server", async () => {
  const engine = await opened();
  for (const method of ["eval-ls/run", "eval-ls/report", "nothing"]) {
    assert.match(ask(engine, method, {}).error.message, /needs the program eval-ls on this machine/);
  }
  const run = ask(engine, "workspace/executeCommand", { command: "eval-ls.runCase", arguments: [] });
  assert.match(run.error.message, /needs the program/);
  assert.equal(ask(engine, "textDocument/hover", { uri: 1 }).error.code, -32602);
  for (const text of ["", "[", "{}", "[]", '"x"', '{"method":1}', '{"id":1,"method":"textDocument/hover"}']) {
    assert.ok(Array.isArray(JSON.parse(engine.receiveText(text))), text);
  }
  assert.equal(status(engine), null);
});

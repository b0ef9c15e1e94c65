// The module answers as the native program does: the sessions that `cargo test -- in_process` has recorded, byte for byte but for ages:
// a second is enough to make an answer a day older.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { Engine } from "../dist/engine.js";

const place = (path) => new URL(path, import.meta.url);
const module = await WebAssembly.compile(readFileSync(place("../dist/eval_ls.wasm")));
const sessions = JSON.parse(readFileSync(place("../../../target/web/corpus.json"), "utf8"));

const withoutAges = (answer) => answer?.replaceAll(/\b\d+[a-z]+ ago\b/g, "ago");

for (const [number, { root, files, exchange }] of sessions.entries()) {
  test(`session ${number}: ${Object.keys(files).find((path) => path.endsWith(".json") && !path.startsWith("transcripts/"))}`, async () => {
    const engine = await Engine.start(module, console.error);
    for (const [path, text] of Object.entries(files)) engine.write(`${root}/${path}`, text);
    for (const { message, answer } of exchange) {
      assert.equal(withoutAges(engine.receiveText(JSON.stringify(message))), withoutAges(answer), JSON.stringify(message));
    }
  });
}

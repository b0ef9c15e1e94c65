#!/usr/bin/env node
// Compares `response = "aria"` with Playwright's own ariaSnapshot(), byte for byte, in a real Chromium: on each page in
// tests/browser/pages, and on the addresses that the command line names.
//
// Needs `npm ci` in editors/vscode (playwright-core), and the browser in AGENT_BROWSER_EXECUTABLE_PATH.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync, readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { createServer } from "node:http";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));
const { chromium } = createRequire(`${root}editors/vscode/package.json`)("playwright-core");

// As `script` of src/targets/browser/aria/mod.rs puts it together.
const source = (name) => readFileSync(`${root}src/targets/browser/aria/${name}`, "utf8");
const script = `(() => {\n${source("playwright.js")}${source("page.js")}return views(null);\n})()`;

execFileSync(process.execPath, [`${root}scripts/vendor-aria-snapshot.mjs`, "--check"], { stdio: "inherit" });

const pages = `${root}tests/browser/pages/`;
const server = createServer((request, response) => {
  const name = readdirSync(pages).find((name) => request.url === `/${name}`);
  response.writeHead(name ? 200 : 404, { "content-type": "text/html; charset=utf-8" });
  response.end(name && readFileSync(pages + name));
});
await new Promise((listening) => server.listen(0, "127.0.0.1", listening));
const own = readdirSync(pages).map((name) => `http://127.0.0.1:${server.address().port}/${name}`);
const addresses = [...own, ...process.argv.slice(2)];
assert.ok(own.length >= 20, `only ${own.length} pages`);

const browser = await chromium.launch({
  executablePath: process.env.AGENT_BROWSER_EXECUTABLE_PATH,
  args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"],
});
let failed = 0;
try {
  const page = await browser.newPage();
  for (const address of addresses) {
    await page.goto(address);
    // What a live app still loads changes both or neither.
    let [expected, found] = [];
    for (let tries = 0; tries < 40; tries += 1) {
      expected = await page.locator("body").ariaSnapshot();
      found = await page.evaluate(script);
      if (expected && expected === found?.aria && expected === (await page.locator("body").ariaSnapshot())) break;
      await page.waitForTimeout(100);
    }
    try {
      assert.ok(expected.split("\n").length > 2, `the page shows nothing: ${expected}`);
      assert.equal(found?.aria, expected);
    } catch (fault) {
      failed += 1;
      console.log(`FAILED ${address}\n${fault.message}`);
    }
  }
} finally {
  await browser.close();
  server.close();
}
console.log(`${addresses.length - failed} of ${addresses.length} pages are as Playwright has them`);
process.exitCode = failed ? 1 : 0;

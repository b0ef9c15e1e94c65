// Drives the built page in Chromium. PICTURES=folder also writes pictures of it.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { createReadStream, existsSync, mkdirSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { extname, join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));
const site = join(root, "target/playground");
const output = (script) => execFileSync(join(root, script)).toString().trim();
const require = createRequire(import.meta.url);
const axe = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");
const pictures = process.env.PICTURES;

const TYPES = { ".html": "text/html; charset=utf-8", ".js": "text/javascript", ".css": "text/css", ".wasm": "application/wasm" };
let wasmType = TYPES[".wasm"];
let server;
let browser;
let address;

before(async () => {
  assert.ok(existsSync(join(site, "index.html")), "run `npm run build` first");
  server = createServer((request, response) => {
    const path = new URL(request.url, "http://localhost").pathname;
    const file = join(site, path === "/" ? "index.html" : path.slice(1));
    if (!existsSync(file)) return response.writeHead(404).end();
    const type = extname(file) === ".wasm" ? wasmType : TYPES[extname(file)];
    response.writeHead(200, { "content-type": type });
    return createReadStream(file).pipe(response);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  address = `http://127.0.0.1:${server.address().port}/`;
  const { chromium } = require(output("scripts/get-playwright-core"));
  browser = await chromium.launch({ executablePath: output("scripts/get-chromium"), args: ["--no-sandbox"] });
  if (pictures) mkdirSync(pictures, { recursive: true });
});

after(async () => {
  await browser?.close();
  server?.close();
});

/** A page with its first verdict. `use` gets it; afterwards, nothing was requested and nothing was logged as an error. */
async function onPage(use, { options = {}, fragment = "" } = {}) {
  const permissions = ["clipboard-read", "clipboard-write"];
  const context = await browser.newContext({ viewport: { width: 1360, height: 860 }, permissions, ...options });
  const tab = await context.newPage();
  tab.setDefaultTimeout(20_000);
  const faults = [];
  const requests = [];
  tab.on("console", (message) => ["error", "warning"].includes(message.type()) && faults.push(message.text()));
  tab.on("pageerror", (error) => faults.push(error.message));
  await tab.goto(address + fragment);
  await tab.locator("#page[data-judged]").waitFor();
  tab.on("request", (request) => requests.push(request.url()));
  await use(tab, context);
  assert.deepEqual(requests, [], "the page requests nothing after loading");
  assert.deepEqual(faults, [], "the page logs no fault and violates no policy");
  await context.close();
}

const answer = (tab) => tab.locator("#answer .cm-content");
const suite = (tab) => tab.locator("#suite .cm-content");
const status = (tab, text) => tab.locator("#status", { hasText: text }).waitFor();
const check = (tab, id) => tab.locator(`#checks li[data-check="${id}"]`);
const example = (tab, name) => tab.getByLabel("Example").selectOption({ label: name });
const picture = (tab, name, options = {}) => pictures && tab.screenshot({ path: join(pictures, `${name}.png`), ...options });

/** Selects a text in an editor as a double click would, and types. */
async function overtype(tab, editor, word, text) {
  await editor.evaluate((element, word) => {
    const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const at = node.data.indexOf(word);
      if (at < 0) continue;
      element.focus();
      getSelection().setBaseAndExtent(node, at, node, at + word.length);
      return;
    }
    throw new Error(`no ${word}`);
  }, word);
  await tab.keyboard.type(text);
}

test("the first verdict appears", async () => {
  await onPage(async (tab) => {
    await status(tab, "OPEN1: PASS");
    const badges = await tab.locator("#cases .badge").allTextContents();
    assert.deepEqual(badges, ["PASS", "PASS", "FAIL", "no answer"]);
    const measures = await tab.evaluate(() => performance.getEntriesByType("measure").map(({ startTime, duration }) => startTime + duration));
    console.log(`# first verdict after ${Math.round(measures[0])} ms`);
  });
});

test("a wrong number in the answer fails the case and is marked", async () => {
  await onPage(async (tab) => {
    await overtype(tab, answer(tab), "12", "13");
    await status(tab, "OPEN1: FAIL");
    await tab.locator("#answer .evidence.fail.open", { hasText: "13" }).waitFor();
    assert.match(await check(tab, "synthesis:numeric:open repairs").textContent(), /nearest is 13/);
    const open = check(tab, "synthesis:numeric:open repairs").locator(".proof");
    assert.match(await open.textContent(), /Fails on \d+ of \d+ wrong answers/);
    await picture(tab, "fail");
  });
});

test("a new answer for a case without one is judged", async () => {
  await onPage(async (tab) => {
    await tab.locator("#cases button", { hasText: "HOURS1" }).click();
    await status(tab, "HOURS1: no answer");
    await answer(tab).click();
    await tab.keyboard.type("We open at 9:30.");
    await status(tab, "HOURS1: PASS");
    await tab.keyboard.press("Control+a");
    await tab.keyboard.press("Delete");
    await status(tab, "HOURS1: no answer");
  });
});

test("the cursor in the suite selects the case", async () => {
  await onPage(async (tab) => {
    await suite(tab).getByText("PRICE1").click();
    await status(tab, "PRICE1: FAIL");
    await tab.locator("#answer .evidence.fail", { hasText: "new price" }).waitFor();
  });
});

test("the three steps show what happened and can be undone", async () => {
  await onPage(async (tab) => {
    const step = (name) => tab.locator("#step-list li", { hasText: name });
    await step("Change the answer").getByRole("button").click();
    await status(tab, "OPEN1: FAIL");
    await tab.locator("#answer .evidence.fail", { hasText: "11" }).waitFor();
    await step("Change the answer").getByRole("button", { name: "Undo" }).click();
    await status(tab, "OPEN1: PASS");
    await step("Change the expectation").getByRole("button").click();
    await check(tab, "must_say_any").getByText("The prompt alone meets this check.").waitFor();
    await tab.locator("#findings li", { hasText: "said-by-prompt" }).waitFor();
    await status(tab, "OPEN1: PASS");
    await picture(tab, "step2");
    await step("Change the expectation").getByRole("button", { name: "Undo" }).click();
    await tab.locator("#findings li", { hasText: "said-by-prompt" }).waitFor({ state: "detached" });
    // A step takes the others back, because its sentence is about it alone.
    await step("Change the expectation").getByRole("button").click();
    await step("Change the prompt").getByRole("button").click();
    await step("Change the expectation").getByRole("button", { name: "Ask for “ready” only" }).waitFor();
    await tab.locator("#stale").waitFor();
    await tab.locator("#cases .badge", { hasText: "stale" }).waitFor();
    await step("Change the prompt").getByRole("button", { name: "Undo" }).click();
    await tab.locator("#stale").waitFor({ state: "hidden" });
  });
});

test("a stale answer can be kept for the new prompt", async () => {
  await onPage(async (tab) => {
    await tab.locator("#step-list li", { hasText: "Change the prompt" }).getByRole("button").click();
    await tab.locator("#renew").click();
    await tab.locator("#stale").waitFor({ state: "hidden" });
    await status(tab, "OPEN1: PASS");
  });
});

test("a click on a check selects its text and marks its evidence", async () => {
  await onPage(async (tab) => {
    await check(tab, "must_say_any").getByRole("button").click();
    await tab.locator("#answer .evidence.open.pass", { hasText: "Ada's tandem" }).waitFor();
    await tab.locator("#suite .cm-openCheck", { hasText: "Ada's tandem" }).first().waitFor();
    await picture(tab, "check");
    await suite(tab).focus();
    assert.match(await tab.evaluate(() => getSelection().toString()), /Ada's tandem/);
  });
});

test("completions and hovers appear", async () => {
  await onPage(async (tab) => {
    await suite(tab).getByText("must_not_say").first().hover();
    await tab.locator(".cm-tooltip .markdown", { hasText: "Scoring group" }).waitFor();
    await picture(tab, "hover");
    // The hover covers the line above.
    await tab.mouse.move(0, 0);
    await tab.locator(".cm-tooltip").waitFor({ state: "hidden" });
    await suite(tab).getByText('"must_say_any"').first().click();
    await tab.keyboard.press("Home");
    await tab.keyboard.press("Enter");
    await tab.keyboard.press("ArrowUp");
    await tab.keyboard.type('"must_mat');
    const option = tab.locator(".cm-tooltip-autocomplete li", { hasText: "must_match_regex" });
    await option.waitFor();
    await picture(tab, "completion");
    await option.click();
    await suite(tab).getByText('"must_match_regex"').first().waitFor();
    assert.match(await suite(tab).innerText(), /"must_match_regex": \[""\],\s*\n\s*"must_say_any"/);
  });
});

test("a fix is applied", async () => {
  await onPage(async (tab) => {
    await example(tab, "A suite with mistakes");
    const finding = tab.locator("#findings li", { hasText: "must_grund_numbers" });
    await finding.locator(".fix").waitFor();
    await picture(tab, "faulty");
    await finding.locator(".fix").click();
    await finding.waitFor({ state: "detached" });
    await suite(tab).getByText("must_ground_numbers").waitFor();
  });
});

test("every example has verdicts", async () => {
  await onPage(async (tab) => {
    const verdicts = {
      "A morning brief": "BRIEF1: PASS",
      "The demo app: a board with tools": "ADD1: PASS",
      "An empty suite": "CASE1: no answer",
      "The demo app: the week from three sources": "WEEK1: PASS",
    };
    for (const [name, verdict] of Object.entries(verdicts)) {
      await example(tab, name);
      await status(tab, verdict);
      assert.equal(await tab.locator("#steps").isVisible(), false);
    }
    await picture(tab, "week");
  });
});

test("a pasted suite has no answers and no steps of the example, and the file of another program has a way", async () => {
  await onPage(async (tab) => {
    const paste = async (text) => {
      await suite(tab).click();
      await tab.keyboard.press("Control+a");
      await tab.evaluate((text) => navigator.clipboard.writeText(text), text);
      await tab.keyboard.press("Control+v");
    };
    await paste('{ "version": "0.2.0", "cases": [{ "id": "OPEN1", "prompt": "Who?", "expected": { "must_say_any": ["Ada"] } }] }');
    await status(tab, "OPEN1: no answer");
    assert.equal(await tab.locator("#steps").isVisible(), false);
    await paste("description: an eval of promptfoo\nprompts: [a]\n");
    await tab.getByText("eval-ls import FILE").waitFor();
    await picture(tab, "foreign");
  });
});

const measured = (tab) => tab.evaluate(() => performance.getEntriesByType("measure").length);

/** Presses a key, and waits for the verdict after it. */
async function pressed(tab, key) {
  const before = await measured(tab);
  await tab.keyboard.press(key);
  await tab.waitForFunction((before) => performance.getEntriesByType("measure").length > before, before);
}

test("of two cases with one id, the selected one is shown at each keystroke", async () => {
  await onPage(async (tab) => {
    await example(tab, "A suite with mistakes");
    await tab.locator("#cases button", { hasText: "WEEK1" }).last().click();
    await tab.locator("#prompt", { hasText: "Order ten inner tubes." }).waitFor();
    await answer(tab).click();
    for (const key of "ordered") {
      await pressed(tab, key);
      assert.equal(await tab.locator("#prompt").textContent(), "Order ten inner tubes.");
    }
  });
});

test("verdicts stay at their cases while lines are inserted", async () => {
  await onPage(async (tab) => {
    /** The ids of the cases whose first line has a badge. */
    const marked = () => tab.evaluate(() => {
      const lines = [...document.querySelectorAll("#suite .cm-line")];
      const badged = lines.filter((line) => line.querySelector(".badge"));
      return badged.map((line) => lines[lines.indexOf(line) + 1]?.textContent.match(/"id": "(\w+)"/)?.[1]);
    });
    await suite(tab).getByText("must_not_say").first().click();
    await tab.keyboard.press("End");
    for (let at = 0; at < 12; at += 1) {
      await pressed(tab, "Enter");
      assert.deepEqual((await marked()).slice(0, 2), ["OPEN1", "SLOT1"]);
      assert.equal(await tab.locator("#cases [aria-current=true] .case-id").textContent(), "OPEN1");
    }
  });
});

test("a case that cannot be read keeps its verdict, marked as stale", async () => {
  await onPage(async (tab) => {
    await overtype(tab, suite(tab), '"prompt"', 'prompt"');
    await tab.locator("#sentence", { hasText: "The case cannot be read now." }).waitFor();
    await status(tab, "OPEN1: PASS · stale");
    assert.equal(await tab.locator("#stale").isVisible(), false);
  });
  const broken = '{ "cases": [ { "id": "A", "prompt": "p", "expected": { "must_say_any": ["x"] ]';
  const text = JSON.stringify({ path: "a.evals.json", suite: broken, config: "", transcripts: { "transcripts/a.evals/A.json": { case: "A", response: "x" } } });
  await onPage(async (tab) => {
    await status(tab, "A: not judged");
    await tab.locator("#sentence", { hasText: "The case cannot be read, so its answer is not judged." }).waitFor();
  }, { fragment: `#1.${await packed(text)}` });
});

test("answers in another folder are judged and linked", async () => {
  const config = '[run]\ntranscripts = "../stored answers"\n';
  const cases = [{ id: "A", prompt: "p", expected: { must_say_any: ["twelve"] } }];
  const text = JSON.stringify({ path: "evals/a.json", suite: JSON.stringify({ cases }), config, transcripts: {} });
  let fragment = "";
  await onPage(async (tab) => {
    await answer(tab).click();
    await tab.keyboard.type("twelve");
    await status(tab, "A: PASS");
    await tab.getByRole("button", { name: "Copy link" }).click();
    await tab.locator("#copied", { hasText: "Copied" }).waitFor();
    fragment = new URL(await tab.evaluate(() => navigator.clipboard.readText())).hash;
  }, { fragment: `#1.${await packed(text)}` });
  await onPage((tab) => status(tab, "A: PASS"), { fragment });
});

test("another example loses no work", async () => {
  await onPage(async (tab) => {
    await overtype(tab, answer(tab), "12", "13");
    await status(tab, "OPEN1: FAIL");
    await example(tab, "A morning brief");
    await status(tab, "BRIEF1: PASS");
    await example(tab, "A first suite: the bike workshop");
    await status(tab, "OPEN1: FAIL");
    assert.match(await answer(tab).innerText(), /13 repairs/);
  });
});

test("a reload shows the work again, without a question", async () => {
  const tab = await browser.newPage();
  const asked = [];
  tab.on("dialog", (dialog) => asked.push(dialog.type()) && void dialog.accept());
  await tab.goto(address);
  await status(tab, "OPEN1: PASS");
  await overtype(tab, answer(tab), "12", "13");
  await status(tab, "OPEN1: FAIL");
  await tab.reload();
  await status(tab, "OPEN1: FAIL");
  assert.match(await answer(tab).innerText(), /13 repairs/);
  assert.deepEqual(asked, []);
  await tab.close();
  const another = await browser.newPage();
  await another.goto(address);
  await status(another, "OPEN1: PASS");
  await another.close();
});

test("too much for a link leaves no old link", async () => {
  await onPage(async (tab) => {
    await tab.getByRole("button", { name: "Copy link" }).click();
    await tab.locator("#copied", { hasText: "Copied" }).waitFor();
    await tab.locator("#config-tab").click();
    await tab.locator("#config .cm-content").click();
    await tab.keyboard.press("Control+End");
    for (let at = 0; at < 11; at += 1) await tab.keyboard.insertText(`\n# ${"x".repeat(100_000)}`);
    await tab.getByRole("button", { name: "Copy link" }).click();
    await tab.locator("#copied", { hasText: "too large for a link" }).waitFor();
  });
});

test("a worker that is missing is a notice", async () => {
  const tab = await browser.newPage();
  await tab.route("**/worker.js", (route) => route.fulfill({ status: 404 }));
  await tab.goto(address);
  await tab.locator("#notice", { hasText: "The analysis does not start: the worker cannot be loaded" }).waitFor();
  await tab.close();
});

test("a link restores the state, and a hostile one does nothing", async () => {
  let fragment = "";
  await onPage(async (tab) => {
    await overtype(tab, answer(tab), "12", "13");
    await status(tab, "OPEN1: FAIL");
    await tab.getByRole("button", { name: "Copy link" }).click();
    await tab.locator("#copied", { hasText: "Copied" }).waitFor();
    fragment = new URL(await tab.evaluate(() => navigator.clipboard.readText())).hash;
  });
  await onPage(async (tab) => {
    await status(tab, "OPEN1: FAIL");
    assert.match(await answer(tab).innerText(), /13 repairs/);
    assert.equal(await tab.getByLabel("Example").inputValue(), "From the link");
  }, { fragment });
  const outside = await packed('{"path":"../x.json","suite":"","config":"","transcripts":{}}');
  const bomb = await packed(" ".repeat(3e6));
  const hostile = { "#1.AAAA": "incomplete", "#1.!!!": "incomplete", [`#1.${outside}`]: "not of this page", [`#1.${bomb}`]: "too much", "#9.AAAA": "another version" };
  for (const [link, reason] of Object.entries({ ...hostile, [fragment.slice(0, -40)]: "incomplete" })) {
    await onPage(async (tab) => {
      await tab.locator("#notice", { hasText: "cannot be opened" }).filter({ hasText: reason }).waitFor();
      await status(tab, "OPEN1: PASS");
    }, { fragment: link });
  }
  const markup = '<img src=x onerror="window.pwned = 1">';
  const cases = [{ id: markup, prompt: markup, expected: { must_say_any: [markup], must_match_regex: [`(${markup}`] } }];
  const text = JSON.stringify({ path: "evals/x.evals.json", suite: JSON.stringify({ cases }), config: "", transcripts: {} });
  await onPage(async (tab) => {
    await tab.locator("#cases .case-id", { hasText: "<img" }).waitFor();
    assert.equal(await tab.evaluate(() => window.pwned), undefined);
    assert.equal(await tab.locator("main img:not(.cm-widgetBuffer)").count(), 0);
  }, { fragment: `#1.${await packed(text)}` });
});

async function packed(text) {
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  return Buffer.from(await new Response(stream).arrayBuffer()).toString("base64url");
}

test("the verdict follows each keystroke", async () => {
  await onPage(async (tab) => {
    for (const [name, verdict] of [["A first suite: the bike workshop", "OPEN1"], ["The demo app: a board with tools", "ADD1"]]) {
      await example(tab, name);
      await status(tab, verdict);
      await tab.evaluate(() => performance.clearMeasures());
      await answer(tab).click();
      for (let at = 0; at < 30; at += 1) {
        await tab.keyboard.type("x");
        await tab.waitForFunction((count) => performance.getEntriesByType("measure").length >= count, at + 1);
      }
      const durations = await tab.evaluate(() => performance.getEntriesByType("measure").map(({ duration }) => duration));
      const times = durations.sort((one, other) => one - other);
      console.log(`# ${name}: keystroke to verdict ${times[15].toFixed(1)} ms median, ${times.at(-2).toFixed(1)} ms p95`);
    }
  });
});

test("the analysis starts whatever type the server gives it", async () => {
  wasmType = "application/octet-stream";
  try {
    await onPage((tab) => status(tab, "OPEN1: PASS"));
  } finally {
    wasmType = TYPES[".wasm"];
  }
});

for (const colorScheme of ["light", "dark"]) {
  for (const width of [1360, 390]) {
    test(`axe-core finds nothing serious: ${colorScheme}, ${width} px`, async () => {
      const phone = width < 500;
      await onPage(async (tab) => {
        await overtype(tab, answer(tab), "12", "13");
        await status(tab, "OPEN1: FAIL");
        await picture(tab, `${colorScheme}-${width}`, { fullPage: phone });
        await faultless(tab);
        await tab.locator("#step-list li", { hasText: "Change the expectation" }).getByRole("button").click();
        await check(tab, "must_say_any").getByText("The prompt alone").waitFor();
        await faultless(tab);
        await example(tab, "A suite with mistakes");
        await tab.locator("#passed").waitFor();
        await faultless(tab);
        await picture(tab, `${colorScheme}-${width}-faulty`, { fullPage: phone });
        const overflow = await tab.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        assert.ok(overflow <= 0, `the page is ${overflow} px too wide`);
      }, { options: { colorScheme, viewport: { width, height: phone ? 844 : 860 } } });
    });
  }
}

test("on a phone, the steps and the verdict are in view together", async () => {
  await onPage(async (tab) => {
    for (const [step, verdict] of [["Change the answer", "FAIL"], ["Change the expectation", "PASS"], ["Change the prompt", "stale"]]) {
      const button = tab.locator("#step-list li", { hasText: step }).getByRole("button");
      await button.click();
      await status(tab, verdict);
      const places = await Promise.all([button, tab.locator("#status")].map((one) => one.boundingBox()));
      assert.ok(places.every(({ y, height }) => y >= 0 && y + height <= 844), JSON.stringify(places));
      await picture(tab, `phone-${verdict}`);
    }
  }, { options: { viewport: { width: 390, height: 844 } } });
});

/** The policy of the page lets no script in; this one is evaluated outside of it. */
async function faultless(tab) {
  await tab.evaluate(axe);
  const { violations } = await tab.evaluate(() => window.axe.run());
  const serious = violations.filter(({ impact }) => ["serious", "critical"].includes(impact));
  const places = (nodes) => nodes.map(({ target, failureSummary }) => `${target} ${failureSummary}`).join(" | ");
  assert.deepEqual(serious.map(({ id, nodes }) => `${id}: ${places(nodes)}`), []);
}

test("the keyboard reaches the checks", async () => {
  await onPage(async (tab) => {
    const target = check(tab, "must_say_any").getByRole("button");
    for (let at = 0; at < 60 && !(await target.evaluate((element) => element === document.activeElement)); at += 1) await tab.keyboard.press("Tab");
    await tab.keyboard.press("Enter");
    await tab.locator("#answer .evidence.open").waitFor();
    assert.equal(await target.getAttribute("aria-expanded"), "true");
    assert.ok(await target.evaluate((element) => element === document.activeElement), "the focus stays on the check");
  });
});

// Prints Playwright's ARIA snapshots of the pages of a browser. Its arguments are the folder of the npm package playwright-core, which is
// empty for the one that is installed globally, and the address of the browser.
//
// It prints a line when it is ready, and a line for each line that it reads.
const { execFileSync } = require("node:child_process");
const { existsSync } = require("node:fs");
const { join } = require("node:path");
const { createInterface } = require("node:readline");

const print = (value) => process.stdout.write(`${JSON.stringify(value)}\n`);
const reason = (error) => ({ error: String(error.message ?? error).split("\n")[0] });

function globalFolder() {
  try {
    // npm is a script of the shell on Windows.
    const options = { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"], shell: process.platform === "win32" };
    const root = execFileSync("npm", ["root", "--global"], options);
    return join(root.trim(), "playwright-core");
  } catch {
    return undefined;
  }
}

// agent-browser names a tab by the id of its target.
async function pageOf(browser, tab) {
  for (const page of browser.contexts().flatMap((context) => context.pages())) {
    const session = await page.context().newCDPSession(page);
    const { targetInfo } = await session.send("Target.getTargetInfo");
    await session.detach();
    if (targetInfo.targetId === tab) return page;
  }
  throw new Error("it does not see the page");
}

async function main(given, address) {
  const folder = given || globalFolder();
  if (!folder || !existsSync(join(folder, "package.json"))) return print({ missing: folder ?? null });
  const { chromium } = require(folder);
  const browser = await chromium.connectOverCDP(address);
  browser.on("disconnected", () => process.exit());
  // Without a listener, Playwright would close the dialogs of pages.
  for (const context of browser.contexts()) context.on("dialog", () => {});
  print({ version: require(join(folder, "package.json")).version });
  for await (const line of createInterface({ input: process.stdin })) {
    const { tab, selector } = JSON.parse(line);
    try {
      // Without `light`, it would also look into shadow trees.
      const part = (await pageOf(browser, tab)).locator(`css:light=${selector}`).first();
      // Half a surrogate pair has no place in JSON that is UTF-8.
      print({ aria: (await part.ariaSnapshot({ timeout: 10_000 })).toWellFormed() });
    } catch (error) {
      print(reason(error));
    }
  }
}

main(...process.argv.slice(1)).catch((error) => print(reason(error))).finally(() => process.exit());

/** Starts the page: an example or a link is shown at once, and judged as soon as the analysis runs. */
import examples from "examples";
import { EvalLs } from "../../editors/web/src/index.ts";
import { byId, h, notify } from "./dom.ts";
import { fragmentOf, workspaceOf } from "./link.ts";
import { Page } from "./page.ts";
import type { Workspace } from "./workspace.ts";

async function linked(): Promise<Workspace | null> {
  try {
    return await workspaceOf(location.hash);
  } catch (error) {
    notify(`This link cannot be opened. ${error instanceof Error ? error.message : ""}`);
    return null;
  }
}

/** The examples, and then the last link, as they were left. */
const choices: Workspace[] = [...examples];
let shown = 0;

function loadLinked(page: Page, workspace: Workspace): void {
  choices[shown] = page.current;
  const select = byId<HTMLSelectElement>("example");
  if (choices.length === examples.length) select.add(h("option", {}, workspace.name));
  choices[examples.length] = workspace;
  select.selectedIndex = examples.length;
  page.clearNotice();
  show(page, examples.length);
}

function show(page: Page, index: number): void {
  shown = index;
  page.load(choices[index]!);
}

function loadChoice(page: Page, index: number): void {
  choices[shown] = page.current;
  page.clearNotice();
  history.replaceState(null, "", location.pathname);
  show(page, index);
}

async function copyLink(page: Page): Promise<void> {
  const said = byId("copied");
  try {
    history.replaceState(null, "", await fragmentOf(page.current));
    const copied = navigator.clipboard.writeText(location.href);
    said.textContent = await copied.then(() => "Copied", () => "The link is in the address bar");
    page.noteSaved();
  } catch (error) {
    said.textContent = error instanceof Error ? error.message : String(error);
  }
  setTimeout(() => (said.textContent = ""), 4000);
}

async function start(): Promise<void> {
  const select = byId<HTMLSelectElement>("example");
  select.append(...examples.map(({ name }) => h("option", {}, name)));
  const server = EvalLs.start({ worker: new Worker("worker.js"), module: "eval_ls.wasm" });
  const page = new Page();
  const workspace = await linked();
  if (workspace) loadLinked(page, workspace);
  else show(page, 0);
  select.addEventListener("change", () => loadChoice(page, select.selectedIndex));
  byId("copy").addEventListener("click", () => void copyLink(page));
  byId("renew").addEventListener("click", () => page.renew());
  ["suite-tab", "config-tab"].forEach((id, index) => byId(id).addEventListener("click", () => page.showTab(index)));
  window.addEventListener("hashchange", async () => {
    const next = await linked();
    if (next) loadLinked(page, next);
  });
  window.addEventListener("beforeunload", (event) => {
    if (page.hasUnsavedWork) event.preventDefault();
  });
  page.connect(await server);
}

start().catch((error: unknown) => notify(`The analysis does not start: ${error instanceof Error ? error.message : String(error)}`));

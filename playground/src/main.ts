/** Starts the page: an example or a link is shown at once, and judged as soon as the analysis runs. */
import examples from "examples";
import { EvalLs } from "../../editors/web/src/index.ts";
import { byId, h, notify } from "./dom.ts";
import { checked, fragmentOf, workspaceOf } from "./link.ts";
import { Page } from "./page.ts";
import type { Workspace } from "./workspace.ts";

async function linked(): Promise<Workspace | null> {
  try {
    return await workspaceOf(location.hash);
  } catch (error) {
    // Only this page throws plain errors.
    notify(`This link cannot be opened. ${error instanceof Error && error.constructor === Error ? error.message : "It is incomplete."}`);
    return null;
  }
}

/** Where the tab keeps its state. */
const KEPT = "kept";

/** Keeps the workspace in the tab, so that a reload shows it again. A browser may end a tab without a question. */
function keep(page: Page): void {
  try {
    sessionStorage.setItem(KEPT, JSON.stringify({ hash: location.hash, name: page.current.name, workspace: page.current }));
  } catch {
    // There is no storage, or the workspace is too large for it.
  }
}

/** The workspace that the tab has kept for this address. */
function kept(): Workspace | null {
  try {
    const { hash, name, workspace } = JSON.parse(sessionStorage.getItem(KEPT) ?? "{}") as { hash?: string; name?: string; workspace?: unknown };
    return hash === location.hash ? { ...checked(workspace), name: String(name) } : null;
  } catch {
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
  const before = kept();
  const example = examples.findIndex(({ name }) => name === before?.name);
  const workspace = before ?? (await linked());
  if (before && example >= 0) {
    choices[example] = before;
    select.selectedIndex = example;
    show(page, example);
  } else if (workspace) loadLinked(page, workspace);
  else show(page, 0);
  select.addEventListener("change", () => loadChoice(page, select.selectedIndex));
  byId("copy").addEventListener("click", () => void copyLink(page));
  byId("renew").addEventListener("click", () => page.renew());
  ["suite-tab", "config-tab"].forEach((id, index) => byId(id).addEventListener("click", () => page.showTab(index)));
  window.addEventListener("hashchange", async () => {
    const next = await linked();
    if (next) loadLinked(page, next);
  });
  window.addEventListener("pagehide", () => keep(page));
  document.addEventListener("visibilitychange", () => keep(page));
  page.connect(await server);
}

start().catch((error: unknown) => notify(`The analysis does not start: ${error instanceof Error ? error.message : String(error)}`));

/** Tests that share a workspace, with a picture of each failure. */

import { after, describe, it } from 'node:test';
import * as path from 'node:path';

import { env, opened, Window, type Edition, type WorkspaceSettings } from './window';
import { Workbench } from './workbench';

type Scenario = (workbench: Workbench) => Promise<void>;

/** Windows that no test uses. */
const idle: Window[] = [];

/**
 * Runs chains of scenarios in one workspace, one after the other. A scenario continues from the state of the previous one. After
 * a failure, the rest of the chain is skipped, and the next chain gets another window with the workspace as it was at first.
 */
export function scenarios(name: string, settings: WorkspaceSettings, ...chains: Record<string, Scenario>[]): void {
  describe(name, { concurrency: 1 }, () => {
    let window: Window | undefined;
    let workbench: Workbench | undefined;
    after(() => { idle.push(...(window === undefined ? [] : [window])); });
    for (const chain of chains) {
      let failed: string | undefined;
      for (const [title, act] of Object.entries(chain)) {
        it(title, async (test) => {
          if (failed !== undefined) {
            test.skip(`not reached, because “${failed}” failed`);
            return;
          }
          try {
            window ??= take(settings.edition ?? 'program') ?? await Window.start(settings.edition);
            workbench ??= new Workbench(await window.open(settings), window.page);
            await act(workbench);
          } catch (error) {
            failed = title;
            const picture = path.join(env('E2E_SHOTS'), `failed-${`${name}-${title}`.replaceAll(/\W+/g, '-')}.png`);
            await window?.page.screenshot({ path: picture }).catch(() => undefined);
            await window?.close();
            window = workbench = undefined;
            throw new Error(`${error instanceof Error ? error.message : String(error)}\non the screen: ${picture}`, { cause: error });
          }
        });
      }
    }
  });
}

/** Takes a window that no test uses. */
function take(edition: Edition): Window | undefined {
  const place = idle.findIndex((window) => window.edition === edition);
  return place < 0 ? undefined : idle.splice(place, 1)[0];
}

/** Closes the windows, and reports their number. */
export async function closeWindows(): Promise<void> {
  await Promise.all(idle.map((window) => window.close()));
  console.log(`${opened.windows} windows of VS Code opened ${opened.workspaces} workspaces`);
}

/** Tests that share a window, with a picture of each failure. */

import { after, before, describe, it } from 'node:test';

import type { WindowSettings } from './codeServer';
import { Workbench } from './workbench';

type Scenario = (workbench: Workbench) => Promise<void>;

/** Runs scenarios in one window, one after the other; each continues from the state of the previous one. */
export function scenarios(name: string, settings: WindowSettings, all: Record<string, Scenario>): void {
  describe(name, () => {
    let workbench: Workbench | undefined;
    let failed: string | undefined;
    before(async () => {
      workbench = await Workbench.open(settings);
    });
    after(() => workbench?.close());
    for (const [title, act] of Object.entries(all)) {
      it(title, async () => {
        if (workbench === undefined) {
          throw new Error('the window did not open');
        }
        if (failed !== undefined) {
          throw new Error(`not run, because it follows “${failed}”`);
        }
        failed = title;
        const here = workbench;
        await here.watched(`${name}-${title}`.replaceAll(/[^A-Za-z0-9]+/g, '-'), () => act(here));
        failed = undefined;
      });
    }
  });
}

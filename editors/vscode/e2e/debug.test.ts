/** The debug profile of the Test Explorer: a breakpoint in the program of a target is hit while a case runs. */

import { SUITE } from './support/files';
import { scenarios } from './support/scenario';

const AGENT = `import { readFileSync } from 'node:fs';

const { prompt } = JSON.parse(readFileSync(0, 'utf8'));
const response = prompt.includes('week') ? '- orders: 23 open\\n- calendar: 4 free slots' : 'There are fourteen tubes.';
process.stdout.write(JSON.stringify({ response }));
`;

const files = {
  'evals/week.json': SUITE,
  'agent.mjs': AGENT,
  'eval-ls.toml': `[run]
target = "agent"

[targets.agent]
kind = "command"
command = ["node", "agent.mjs"]
timeout = "2s"

[targets.shell]
kind = "command"
command = ["sh", "agent.sh"]
`,
};

scenarios('debug', { files }, {
  'a breakpoint in the program of a target is hit': async (workbench) => {
    await workbench.openFile('agent.mjs');
    await workbench.putCursorAfter('process.stdout');
    await workbench.press('F9', workbench.page.locator('.codicon-debug-breakpoint, .codicon-debug-breakpoint-unverified').first());
    await workbench.openSuite('week.json');
    await workbench.showTests();
    await workbench.expand('evals/week.json');
    await workbench.clickTest('WEEK1', 'Debug Test');
    await workbench.allow('agent.mjs');
    const toolbar = workbench.page.locator('.debug-toolbar');
    await toolbar.waitFor();
    await workbench.page.locator('.codicon-debug-stackframe').first().waitFor();
    await workbench.page.locator('.tab.active[data-resource-name="agent.mjs"]').waitFor();
    // Longer than the target's own limit, which does not apply here: the values were read.
    await workbench.command('View: Show Run and Debug');
    await workbench.page.locator('.debug-variables .monaco-list-row', { hasText: 'prompt' }).first().waitFor();
    await workbench.shot('debug-paused');
    await workbench.page.keyboard.press('F5');
    await toolbar.waitFor({ state: 'hidden' });
    await workbench.showTests();
    await workbench.testItem('WEEK1', 'Passed').waitFor();
    await workbench.shot('debug-done');
  },

  'each case of a suite gets its debugger': async (workbench) => {
    await workbench.clickTest('evals/week.json', 'Debug Test');
    // VS Code shows where the program is stopped, and its variables.
    const prompt = (text: string) => workbench.page.locator('.debug-variables .monaco-list-row', { hasText: text }).first();
    await prompt('How does the week').waitFor();
    await workbench.page.keyboard.press('F5');
    await prompt('Are there enough').waitFor();
    await workbench.shot('debug-second');
    await workbench.page.keyboard.press('F5');
    await workbench.page.locator('.debug-toolbar').waitFor({ state: 'hidden' });
    await workbench.showTests();
    await workbench.testItem('WEEK1', 'Passed').waitFor();
    await workbench.testItem('TUBES1', 'Passed').waitFor();
  },

  'a run that is stopped while its program is paused ends with its debugger': async (workbench) => {
    await workbench.clickTest('TUBES1', 'Debug Test');
    await workbench.page.locator('.debug-variables .monaco-list-row', { hasText: 'Are there enough' }).first().waitFor();
    await workbench.openSuite('week.json');
    await workbench.command('Eval: Stop');
    await workbench.page.locator('.debug-toolbar').waitFor({ state: 'hidden' });
    await workbench.lens(/Run · PASS/).nth(1).waitFor();
    await workbench.shot('debug-stopped');
    await workbench.showTests();
  },

  'a program without a debugger is not started': async (workbench) => {
    await workbench.openSuite('week.json');
    await workbench.choose('Eval: Choose target', 'shell');
    await workbench.status('next: shell').waitFor();
    await workbench.clickTest('WEEK1', 'Debug Test');
    await workbench.notification('cannot be debugged').waitFor();
    // The suite was hidden while its cases ended.
    await workbench.lens(/Run · PASS/).first().waitFor();
    await workbench.shot('debug-refused');
  },
});

/** A log of conversations becomes a suite: with the command, and with the code action of the log. */

import assert from 'node:assert/strict';

import { scenarios } from './support/scenario';

/** A conversation in a log of OpenAI. */
const conversation = (question: string, answer?: string): string => JSON.stringify({
  messages: [{ role: 'user', content: question }, ...answer === undefined ? [] : [{ role: 'assistant', content: answer }]],
});

const LOG = [
  conversation('How many bikes are booked for Friday?', 'On Friday, 14 bikes are booked: 9 city bikes and 5 cargo bikes.'),
  conversation('Which prompt repair takes longest?', 'The repair of the gear hub takes longest: it needs 3 hours.'),
  conversation('Who repairs the brakes of order 7?'),
].join('\n');

scenarios('import', { files: { 'logs/week.jsonl': LOG, 'logs/month.jsonl': LOG, 'logs/notes.jsonl': '{"note": "a prompt"}\n' } }, {
  'of the open log, by the command': async (workbench) => {
    await workbench.openFile('week.jsonl');
    await workbench.command('Eval: Import conversations…');
    await workbench.quickPick('the open file').waitFor();
    await workbench.shot('import-files');
    await workbench.pick('week.jsonl');
    await workbench.quickPick('Keep the texts as they are').waitFor();
    await workbench.shot('import-texts');
    await workbench.pick('Keep the texts as they are');
    await workbench.page.locator('.tab.active[data-resource-name="week.evals.json"]').waitFor();
    await workbench.waitForLanguage('Eval Suite');
    await workbench.lens(/^Run · PASS/).first().waitFor();
    assert.equal(await workbench.findings().count(), 0);
    const { cases } = JSON.parse(workbench.workspace.read('logs/week.evals.json')) as { cases: { prompt: string }[] };
    assert.deepEqual(cases.map(({ prompt }) => prompt), ['How many bikes are booked for Friday?', 'Which prompt repair takes longest?']);
    // The output lists what is left out.
    await workbench.page.locator('.output-view .view-line', { hasText: 'the last question has no answer: line 3' }).waitFor();
    await workbench.shot('import-suite');
  },

  'of another log, by its code action': async (workbench) => {
    await workbench.openFile('month.jsonl');
    await workbench.offer('Import conversations as a suite');
    await workbench.shot('import-action');
    await workbench.page.keyboard.press('Enter');
    await workbench.pick('Keep the texts as they are');
    await workbench.page.locator('.tab.active[data-resource-name="month.evals.json"]').waitFor();
    assert.ok(workbench.workspace.exists('logs/month.evals.json'));
  },

  'of no log is refused, with the reason of the program': async (workbench) => {
    await workbench.openFile('notes.jsonl');
    await workbench.choose('Eval: Import conversations…', 'notes.jsonl', 'Keep the texts as they are');
    await workbench.notification('none of its keys is a prompt').waitFor();
    await workbench.shot('import-refused');
    assert.equal(workbench.workspace.exists('logs/notes.evals.json'), false);
  },
});

scenarios('restricted import', { files: { 'week.jsonl': LOG }, settings: { 'security.workspace.trust.enabled': true } }, {
  'works in Restricted Mode: it starts no program of the workspace': async (workbench) => {
    await workbench.openFile('week.jsonl');
    await workbench.page.locator('.statusbar-item', { hasText: 'Restricted Mode' }).waitFor();
    await workbench.choose('Eval: Import conversations…', 'week.jsonl', 'Keep the texts as they are');
    await workbench.page.locator('.tab.active[data-resource-name="week.evals.json"]').waitFor();
  },
});

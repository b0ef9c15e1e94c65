// Reads the JUnit of runs with junit2json, and compares its counts with the exit status of the run.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync, mkdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { test } from 'node:test'
import { parse } from 'junit2json'

const PROGRAM = process.env.EVAL_LS ?? join(import.meta.dirname, '../../target/debug/eval-ls')

const YES = { must_say_any: ['yes'] }
const HINT = { must_say_any: ['yes'], ui: ['A list.'] }

/** Runs the cases, each with its expectations and its answer; a case without an answer has no transcript. */
async function run(t, cases, options, { config = '', onEvent = () => {} } = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'eval-ls-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const suite = cases.map(([expected], index) => ({ id: `C${index}`, category: 'any', prompt: `p${index}`, expected }))
  writeFileSync(join(folder, 's.evals.json'), JSON.stringify({ cases: suite }))
  writeFileSync(join(folder, 'eval-ls.toml'), config)
  mkdirSync(join(folder, 'transcripts/s.evals'), { recursive: true })
  cases.forEach(([, response], index) => {
    if (response === undefined) return
    const transcript = { format: 'eval-ls/transcript@1', case: `C${index}`, response }
    writeFileSync(join(folder, `transcripts/s.evals/C${index}.json`), JSON.stringify(transcript))
  })
  const report = join(folder, 'results.xml')
  const args = ['run', '--format', 'jsonl', '--report', `junit=${report}`, ...options]
  const child = spawn(PROGRAM, args, { cwd: folder, stdio: ['ignore', 'pipe', 'ignore'] })
  const closed = new Promise((resolve) => child.on('close', resolve))
  for await (const line of createInterface({ input: child.stdout })) onEvent(JSON.parse(line), child)
  const [status, text] = [await closed, readFileSync(report, 'utf8')]
  return { status, xml: await parse(text) }
}

/** The counts that the reader finds in the elements. They must be those of the attributes. */
function counts(xml) {
  const suites = xml.testsuite
  const all = suites.flatMap((suite) => suite.testcase)
  const found = {
    tests: all.length,
    failures: all.filter((one) => one.failure?.length).length,
    errors: all.filter((one) => one.error?.length).length,
    skipped: all.filter((one) => one.skipped?.length).length,
  }
  const sum = (key) => suites.reduce((total, suite) => total + suite[key], 0)
  for (const key of Object.keys(found)) assert.equal(sum(key), found[key], key)
  for (const key of ['tests', 'failures', 'errors']) assert.equal(xml[key], found[key], key)
  return found
}

const RUNS = [
  ['a case that passes', [[YES, 'yes']], [], 0, { failures: 0, errors: 0 }],
  ['a case that fails', [[YES, 'yes'], [YES, 'no']], [], 1, { failures: 1, errors: 0 }],
  ['a partial case', [[HINT, 'yes']], [], 0, { failures: 0, errors: 0 }],
  ['a partial case under --strict', [[HINT, 'yes']], ['--strict'], 1, { failures: 1, errors: 0 }],
  ['a case without an answer', [[YES]], [], 5, { failures: 0, errors: 1 }],
  ['a case whose repeats all fail', [[YES, 'no']], ['--repeat', '2'], 1, { failures: 1, errors: 0 }],
]

for (const [name, cases, options, status, expected] of RUNS) {
  test(name, async (t) => {
    const ran = await run(t, cases, options)
    assert.equal(ran.status, status)
    assert.deepEqual(counts(ran.xml), { tests: cases.length, skipped: 0, ...expected })
  })
}

test('cases that are not run are skipped', async (t) => {
  const agent = `process.stdin.once('data', (line) => {
    if (JSON.parse(line).case === 'C0') { console.log(JSON.stringify({ response: 'yes' })); process.exit() }
    setInterval(() => {}, 1000)
  })`
  const command = JSON.stringify([process.execPath, '-e', agent])
  const config = `[run]\ntarget = "agent"\n[targets.agent]\nkind = "command"\ncommand = ${command}\n`
  const onEvent = (event, child) => {
    if (event.event === 'case-started' && event.case === 'C1') child.kill('SIGINT')
  }
  const ran = await run(t, [[YES], [YES], [YES], [YES]], ['-j', '1'], { config, onEvent })
  assert.equal(ran.status, 130)
  // C0 passes, C1 is interrupted, and the interruption is an error of the run.
  assert.deepEqual(counts(ran.xml), { tests: 5, failures: 0, errors: 2, skipped: 2 })
})

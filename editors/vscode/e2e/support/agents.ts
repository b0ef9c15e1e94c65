/** Assistants for the tests: one answers, one hangs. */

const ANSWERS = `
import json, sys
prompt = json.loads(sys.stdin.readline())["prompt"]
answer = "- orders: 23 open\\n- calendar: 4 free slots" if "week" in prompt else "There are 14 inner tubes.\\nI would order ten more."
json.dump({"response": answer}, sys.stdout)
`;

const HANGS = `
import time
time.sleep(3600)
`;

/** A configuration with both assistants as targets, and the assistants. */
export const AGENTS = {
  'eval-ls.toml': `[run]
target = "assistant"

[targets.assistant]
kind = "command"
command = ["python3", "assistant.py"]

[targets.slow]
kind = "command"
command = ["python3", "slow.py"]
`,
  'assistant.py': ANSWERS.trimStart(),
  'slow.py': HANGS.trimStart(),
};

const CRASHES = `
import sys
sys.stdin.readline()
raise RuntimeError("the model backend said 503")
`;

/** The same with a target whose program crashes with a traceback on standard error. */
export const WITH_CRASH = {
  ...AGENTS,
  'eval-ls.toml': `${AGENTS['eval-ls.toml']}
[targets.broken]
kind = "command"
command = ["python3", "crash.py"]
`,
  'crash.py': CRASHES.trimStart(),
};

/** Assistants for the tests: one answers, one never does. */

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

/** A workspace's configuration whose runs ask the assistant that answers, and the assistants. */
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

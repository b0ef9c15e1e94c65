// A target for eval-ls, which starts it once for each case.
//
// It reads one request, a line of JSON, from standard input, and writes one answer, a JSON object, to standard output.
import { text } from "node:stream/consumers";

// Returns the answer of your assistant. Replace this text with a call to it.
// A key of an API reaches this program if `pass_env` of the target in eval-ls.toml names its variable.
async function answer(prompt, setupPrompts) {
  return "This program has no assistant yet.";
}

const request = JSON.parse(await text(process.stdin));
const response = await answer(request.prompt, request.setup_prompts);
// For each call of a tool, add an event to the telemetry: {"source": "tool.NAME", "event": "start"}.
process.stdout.write(JSON.stringify({ response, telemetry: [] }));

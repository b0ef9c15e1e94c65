// Asks an assistant behind an HTTP API: one request of eval-ls in, one answer out.
import { readFileSync } from 'node:fs';

/** Sends the conversation and returns the answer. This is the part to change for your API. */
async function ask(messages) {
  const response = await fetch(`${process.env.ASSISTANT_URL}/chat`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${process.env.ASSISTANT_KEY ?? ''}` },
    body: JSON.stringify({ messages }),
  });
  if (!response.ok) throw new Error(`the API responded with ${response.status}: ${await response.text()}`);
  return response.json();
}

/** The telemetry of a tool: its start and its result. */
function events(tool) {
  const source = `tool.${tool.name}`;
  return [
    { source, event: 'start', data: tool.arguments },
    { source, event: 'result', data: { success: tool.ok } },
  ];
}

const { setup_prompts: setupPrompts, prompt } = JSON.parse(readFileSync(0, 'utf8'));
const messages = [];
let answer;
for (const content of [...setupPrompts, prompt]) {
  messages.push({ role: 'user', content });
  answer = await ask(messages);
  messages.push({ role: 'assistant', content: answer.reply });
}
console.log(JSON.stringify({ response: answer.reply, telemetry: answer.tools.flatMap(events) }));

// An assistant built with an SDK, here that of OpenAI (`npm install openai`): one request of eval-ls in, one answer out.
//
// The loop over the tools is the assistant itself. Import yours instead, and collect its tool calls in the same way.
import { text } from 'node:stream/consumers';

import OpenAI from 'openai';

const client = new OpenAI(); // reads OPENAI_BASE_URL and OPENAI_API_KEY
let telemetry = [];

const TOOLS = { book_table: ({ menu = 'any' }) => ({ success: true, menu }) };
const DESCRIPTIONS = [{ type: 'function', function: { name: 'book_table', description: 'Books a table for two.' } }];

/** Calls a tool and writes down its start and its result. */
function call(tool) {
  const source = `tool.${tool.name}`;
  const data = JSON.parse(tool.arguments);
  telemetry.push({ source, event: 'start', data });
  const result = TOOLS[tool.name](data);
  telemetry.push({ source, event: 'result', data: result });
  return JSON.stringify(result);
}

/** Asks the model until it calls no more tools. */
async function replyTo(messages) {
  for (;;) {
    const completion = await client.chat.completions.create({ model: 'gpt-4o-mini', messages, tools: DESCRIPTIONS });
    const { message } = completion.choices[0];
    messages.push(message);
    if (!message.tool_calls?.length) return message.content;
    for (const tool of message.tool_calls) {
      messages.push({ role: 'tool', tool_call_id: tool.id, content: call(tool.function) });
    }
  }
}

const { setup_prompts: setupPrompts, prompt } = JSON.parse(await text(process.stdin));
const messages = [];
let reply;
for (const content of [...setupPrompts, prompt]) {
  telemetry = []; // only the answer to the last prompt is scored
  messages.push({ role: 'user', content });
  reply = await replyTo(messages);
}
console.log(JSON.stringify({ response: reply, telemetry }));

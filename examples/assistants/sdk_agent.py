"""An assistant built with an SDK, here that of OpenAI (`pip install openai`): one request of eval-ls in, one answer out.

The loop over the tools is the assistant itself. Import yours instead, and collect its tool calls in the same way.
"""

import json
import sys

from openai import OpenAI

client = OpenAI()  # reads OPENAI_BASE_URL and OPENAI_API_KEY
telemetry = []


def book_table(menu="any"):
    return {"success": True, "menu": menu}


TOOLS = {"book_table": book_table}
DESCRIPTIONS = [{"type": "function", "function": {"name": "book_table", "description": "Books a table for two."}}]


def call(function):
    """Calls a tool and writes down its start and its result."""
    source, arguments = "tool." + function.name, json.loads(function.arguments)
    telemetry.append({"source": source, "event": "start", "data": arguments})
    result = TOOLS[function.name](**arguments)
    telemetry.append({"source": source, "event": "result", "data": result})
    return json.dumps(result)


def reply_to(messages):
    """Asks the model until it calls no more tools."""
    while True:
        completion = client.chat.completions.create(model="gpt-4o-mini", messages=messages, tools=DESCRIPTIONS)
        message = completion.choices[0].message
        messages.append(message.model_dump(exclude_none=True))
        if not message.tool_calls:
            return message.content
        for tool in message.tool_calls:
            messages.append({"role": "tool", "tool_call_id": tool.id, "content": call(tool.function)})


case = json.loads(sys.stdin.readline())
messages = []
for prompt in [*case["setup_prompts"], case["prompt"]]:
    telemetry.clear()  # only the answer to the last prompt is scored
    messages.append({"role": "user", "content": prompt})
    reply = reply_to(messages)
json.dump({"response": reply, "telemetry": telemetry}, sys.stdout)

"""Asks an assistant behind an HTTP API: one request of eval-ls in, one answer out."""

import json
import os
import sys
import urllib.request


def ask(messages):
    """Sends the conversation and returns the answer. This is the part to change for your API."""
    request = urllib.request.Request(
        os.environ["ASSISTANT_URL"] + "/chat",
        data=json.dumps({"messages": messages}).encode(),
        headers={"Content-Type": "application/json", "Authorization": "Bearer " + os.environ.get("ASSISTANT_KEY", "")},
    )
    with urllib.request.urlopen(request) as response:
        return json.load(response)


def events(tool):
    """The telemetry of a tool: its start and its result."""
    source = "tool." + tool["name"]
    yield {"source": source, "event": "start", "data": tool["arguments"]}
    yield {"source": source, "event": "result", "data": {"success": tool["ok"]}}


case = json.loads(sys.stdin.readline())
messages = []
for prompt in [*case["setup_prompts"], case["prompt"]]:
    messages.append({"role": "user", "content": prompt})
    answer = ask(messages)
    messages.append({"role": "assistant", "content": answer["reply"]})
telemetry = [event for tool in answer["tools"] for event in events(tool)]
json.dump({"response": answer["reply"], "telemetry": telemetry}, sys.stdout)

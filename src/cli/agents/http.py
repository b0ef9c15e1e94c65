"""A target for eval-ls, which starts it once for each case: asks a model behind an HTTP endpoint, and reads its stream.

The endpoint has the form of OpenAI (…/chat/completions) or that of Anthropic (…/messages). This program reads one request, a line of
JSON, from standard input, and writes one answer, a JSON object, to standard output.
"""

import json
import os
import sys
import urllib.error
import urllib.request

URL = "http://localhost:11434/v1/chat/completions"
MODEL = "llama3.2"
SYSTEM = ""  # the instructions of your assistant
# `pass_env` of the target in eval-ls.toml names the variable with the key.
KEY = os.environ.get("OPENAI_API_KEY") or os.environ.get("ANTHROPIC_API_KEY") or ""

IS_ANTHROPIC = URL.endswith("/messages")


def request_to(messages):
    """Returns the request that sends these messages."""
    body = {"model": MODEL, "stream": True, "messages": messages}
    headers = {"Content-Type": "application/json"}
    if IS_ANTHROPIC:
        body["max_tokens"] = 4096
        headers.update({"x-api-key": KEY, "anthropic-version": "2023-06-01"})
        if SYSTEM:
            body["system"] = SYSTEM
    else:
        if KEY:
            headers["Authorization"] = f"Bearer {KEY}"
        if SYSTEM:
            body["messages"] = [{"role": "system", "content": SYSTEM}, *messages]
    return urllib.request.Request(URL, json.dumps(body).encode(), headers)


def read(stream):
    """Reads the events of a stream. Returns the text and the names of the tools that are called."""
    text, tools = [], []
    for line in stream:
        name, _, data = line.decode("utf-8", "replace").strip().partition(":")
        data = data.strip()
        if name != "data" or data == "[DONE]":
            continue
        event = json.loads(data)
        if event.get("error"):
            sys.exit(f"the endpoint sent an error: {json.dumps(event['error'])}")
        if IS_ANTHROPIC:
            text.append(event.get("delta", {}).get("text", ""))
            block = event.get("content_block", {})
            tools.extend([block["name"]] if block.get("type") == "tool_use" else [])
        for choice in event.get("choices", []):
            delta = choice.get("delta", {})
            text.append(delta.get("content") or "")
            calls = [call.get("function", {}).get("name") for call in delta.get("tool_calls") or []]
            tools.extend(call for call in calls if call)
    return "".join(text), tools


def ask(messages):
    """Sends the messages. Returns the text of the answer and the names of the tools that it calls."""
    try:
        with urllib.request.urlopen(request_to(messages)) as stream:
            return read(stream)
    except urllib.error.HTTPError as fault:
        sys.exit(f"{URL} answered {fault.code}: {fault.read(500).decode('utf-8', 'replace')}")
    except urllib.error.URLError as fault:
        sys.exit(f"{URL}: {fault.reason}")


request = json.loads(sys.stdin.readline())
messages = []
for prompt in [*request["setup_prompts"], request["prompt"]]:
    messages.append({"role": "user", "content": prompt})
    response, tools = ask(messages)
    messages.append({"role": "assistant", "content": response})
telemetry = [{"source": f"tool.{tool}", "event": "start"} for tool in tools]
json.dump({"response": response, "telemetry": telemetry}, sys.stdout)

"""A target for eval-ls, which starts it once for each case.

It reads one request, a line of JSON, from standard input, and writes one answer, a JSON object, to standard output.
"""

import json
import sys


def answer(prompt, setup_prompts):
    """Returns the answer of your assistant. Replace this text with a call to it.

    A key of an API reaches this program if `pass_env` of the target in eval-ls.toml names its variable.
    """
    return "This program has no assistant yet."


request = json.loads(sys.stdin.readline())
response = answer(request["prompt"], request["setup_prompts"])
# For each call of a tool, add an event to the telemetry: {"source": "tool.NAME", "event": "start"}.
json.dump({"response": response, "telemetry": []}, sys.stdout)

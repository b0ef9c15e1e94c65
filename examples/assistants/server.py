"""A scripted assistant of a restaurant behind an HTTP API, to try the examples in this folder. It needs no key.

    python3 server.py [PORT]

It prints its address. `POST /chat` is an API as a product may have it: {"messages": [...]} in, {"reply", "tools"} out.
`POST /v1/chat/completions` is as much of OpenAI's API as the programs with its SDK use.
"""

import http.server
import json
import sys


def answer(messages):
    """The reply to the conversation, and the tool that the assistant calls for it."""
    said = " ".join(message["content"] or "" for message in messages if message["role"] == "user").lower()
    if "vegan" in said and "book" in said:
        return "Your vegan menu for two is booked for tomorrow at 19:00.", ("book_table", {"menu": "vegan"})
    if "book" in said:
        return "Your table for two is booked for tomorrow at 19:00.", ("book_table", {})
    return "We are closed on Sunday.", None


def chat(messages):
    reply, tool = answer(messages)
    tools = [{"name": tool[0], "arguments": tool[1], "ok": True}] if tool else []
    return {"reply": reply, "tools": tools}


def completion(messages):
    reply, tool = answer(messages)
    message = {"role": "assistant", "content": reply}
    if tool and messages[-1]["role"] != "tool":
        function = {"name": tool[0], "arguments": json.dumps(tool[1])}
        message = {"role": "assistant", "content": None, "tool_calls": [{"id": "call_1", "type": "function", "function": function}]}
    choice = {"index": 0, "message": message, "finish_reason": "stop"}
    return {"id": "completion", "object": "chat.completion", "created": 0, "model": "scripted", "choices": [choice]}


class Handler(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        answers = {"/chat": chat, "/v1/chat/completions": completion}
        if self.path not in answers:
            self.send_error(404)
            return
        messages = json.loads(self.rfile.read(int(self.headers["Content-Length"])))["messages"]
        body = json.dumps(answers[self.path](messages)).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1]) if len(sys.argv) > 1 else 8765), Handler)
print(f"http://127.0.0.1:{server.server_port}", flush=True)
server.serve_forever()

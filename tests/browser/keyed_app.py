#!/usr/bin/env python3
"""A chat app for tests: `keyed_app.py LOG NOTES` prints its port.

Each prompt calls the tool that its last word names. The tool of a prompt that begins with "Meet" ends only once three of them
have started. Each event in the log has the key that the request carried
in a header, or that the page found in its storage. Buttons write their name into NOTES, and so does each prompt.
"""

import json
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

LOG, NOTES = sys.argv[1:]
LOCK = threading.Lock()
MEETING = threading.Barrier(3)
PAGE = b"""<!doctype html><title>Keyed</title>
<main><h1>Keyed chat</h1><button id=one>One</button><button id=two>Two</button><button id=three>Three</button>
<div role=log id=log></div><p id=state></p><form><label>Ask <input name=q></label></form></main>
<script>
const post = (path, body) => fetch(path, {method: 'POST', body: JSON.stringify(body)}).then(answer => answer.text());
const add = text => { const line = document.createElement('p'); line.textContent = text; log.append(line); };
for (const button of document.querySelectorAll('button')) button.onclick = () => post('/note', button.textContent);
document.forms[0].onsubmit = event => {
  event.preventDefault();
  const prompt = event.target.q.value;
  event.target.q.value = '';
  add(prompt);
  state.textContent = 'Working...';
  post('/ask', {prompt, key: localStorage.getItem('evalCase')}).then(text => { add(text); state.textContent = ''; });
};
</script>"""


def append(path, line):
    with LOCK, open(path, "a") as file:
        file.write(line + "\n")


class App(BaseHTTPRequestHandler):
    def log_message(self, *_):
        pass

    def answer(self, body):
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self):
        self.answer(PAGE)

    def do_POST(self):
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        if self.path == "/note":
            append(NOTES, asked)
            return self.answer(b"")
        append(NOTES, asked["prompt"])
        key = self.headers.get("X-Eval-Case") or asked["key"]
        tool = asked["prompt"].split()[-1]
        for event, data in (("start", {}), ("result", {"success": True})):
            append(LOG, json.dumps({"source": f"tool.{tool}", "event": event, "data": data, "trace": key}))
            if event == "start" and asked["prompt"].startswith("Meet"):
                MEETING.wait()
        self.answer(f"Done with {tool}".encode())


server = ThreadingHTTPServer(("127.0.0.1", 0), App)
print(server.server_port, flush=True)
server.serve_forever()

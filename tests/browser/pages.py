"""Chat pages on which a verdict can go wrong: a small server, one address for each kind of page.

`http://127.0.0.1:PORT/KIND?delay=4` is a page of that kind whose first words come after 4 s. `PAGES` names the kinds; those
in `NEVER` never answer.
"""

import http.server
import json
import threading
import time
from urllib.parse import parse_qs, urlsplit

# What every page has: `add(text)` appends a message, `later(f)` calls f when the first words are due.
COMMON = """
const delay = Number(new URLSearchParams(location.search).get('delay') ?? 0) * 1000;
const log = document.getElementById('log'), field = document.getElementById('field');
const make = (tag, text, props = {}) => Object.assign(document.createElement(tag), { textContent: text, ...props });
const add = (text, tag = 'p') => { const made = make(tag, text); log.append(made); return made };
const sleep = time => new Promise(done => setTimeout(done, time));
const later = f => setTimeout(f, delay);
const ANSWER = 'There are 12 commits.';
const onEnter = f => field.addEventListener('keydown', event => {
  if (event.key !== 'Enter' || event.shiftKey) return;
  event.preventDefault();
  const isField = /^(INPUT|TEXTAREA)$/.test(field.tagName);
  const text = isField ? field.value : field.innerText;
  if (!text.trim()) return;
  if (f(text) === false) return;
  if (isField) field.value = ''; else field.textContent = '';
});
"""

FORM = "<label for=field>Ask</label> <input id=field>"


def page(script, body=f"<div id=log></div>{FORM}", style=""):
    return f"<!doctype html><meta charset=utf-8><title>Chat</title><style>{style}</style><main>{body}</main><script>{COMMON}{script}</script>"


SPIN = "@keyframes spin{to{transform:rotate(1turn)}} .wheel{width:20px;height:20px;border:2px solid;animation:spin 1s linear infinite}"
SHADOW = """
customElements.define('chat-box', class extends HTMLElement {
  constructor() {
    super();
    const root = this.attachShadow({ mode: 'open' });
    root.innerHTML = '<div class=log></div><textarea aria-label=Ask></textarea>';
    const [log, field] = root.children;
    field.onkeydown = event => {
      if (event.key !== 'Enter') return;
      event.preventDefault();
      log.append(make('p', field.value)); field.value = '';
      later(() => log.append(make('p', ANSWER)));
    };
  }
});
"""

PAGES = {
    # What people type into.
    "plain": page("onEnter(q => { add(q); later(() => add(ANSWER)) })"),
    "textarea": page("onEnter(q => { add(q); later(() => add(ANSWER)) })", "<div id=log></div><textarea id=field></textarea>"),
    "editable": page(
        "onEnter(q => { add(q); later(() => add(ANSWER)) })",
        "<div id=log></div><div id=field contenteditable role=textbox aria-label=Ask style='min-height:2em;border:1px solid'></div>",
    ),
    "shadow": page(SHADOW, "<chat-box></chat-box>"),
    "frame": page(
        "const inner = document.querySelector('iframe'); inner.srcdoc = `<div id=log></div><input id=field aria-label=Ask><script>"
        "const delay = ${delay}; field.onkeydown = e => { if (e.key !== 'Enter') return; const q = field.value; field.value = '';"
        "const p = t => { const m = document.createElement('p'); m.textContent = t; log.append(m) }; p(q);"
        "setTimeout(() => p('There are 12 commits.'), delay) }</` + `script>`",
        "<h1>Help</h1><iframe style='width:600px;height:300px'></iframe>",
    ),
    "search-first": page(
        "onEnter(q => { add(q); later(() => add(ANSWER)) })",
        "<input placeholder='Search conversations'><div id=log></div><textarea id=field placeholder='Message the assistant'></textarea>",
    ),
    "ready-late": page(
        "field.disabled = true; setTimeout(() => { field.disabled = false }, 2500); onEnter(q => { add(q); later(() => add(ANSWER)) })"
    ),
    # How prompts are sent.
    "button": page(
        "send.onclick = () => { const q = field.value; field.value = ''; add(q); later(() => add(ANSWER)) }",
        "<div id=log></div><textarea id=field aria-label=Ask></textarea><button id=send>Send</button>",
    ),
    "icon-button": page(
        "go.onclick = () => { const q = field.value; field.value = ''; add(q); later(() => add(ANSWER)) }",
        "<button>New chat</button><div id=log></div><div><textarea id=field aria-label=Ask></textarea>"
        "<button id=go><svg width=16 height=16><path d='M0 0L16 8L0 16z'/></svg></button></div>",
    ),
    "several-buttons": page(
        "send.onclick = () => { const q = field.value; field.value = ''; add(q); later(() => add(ANSWER)) }",
        "<div id=log></div><div><textarea id=field aria-label=Ask></textarea><button>Attach a file</button><button>Voice</button>"
        "<button id=send title='Send message'>&#10148;</button></div><button>Clear conversation</button>",
    ),
    "no-enter": page(
        "send.onclick = () => { const q = field.value; field.value = ''; add(q); later(() => add(ANSWER)) }",
        f"<div id=log></div>{FORM}<button id=send>Send</button>",
    ),
    "ignores-while-busy": page(
        "let busy = false; onEnter(q => { if (busy) return false; busy = true; add(q); later(() => { add(ANSWER);"
        "setTimeout(() => { busy = false }, 4500) }) })"
    ),
    "cleared-late": page("onEnter(q => { later(() => { field.value = ''; add(q); add(ANSWER) }); return false })"),
    # How the prompt is shown.
    "shortened": page("onEnter(q => { add(q.slice(0, 10) + '…'); later(() => add(ANSWER)) })"),
    "markdown": page(
        "onEnter(q => { const m = add(''); m.innerHTML = '<b>How many</b> <code>commits</code>?'; later(() => add(ANSWER)) })"
    ),
    "words-apart": page("onEnter(q => { const m = add('', 'div'); q.split(' ').forEach(w => m.append(make('div', w))); later(() => add(ANSWER)) })"),
    "labelled": page("onEnter(q => { add('You: ' + q); later(() => add('Assistant: ' + ANSWER)) })"),
    "named": page(
        "const row = (who, text) => { const m = make('div', ''); m.append(make('span', who[0], { className: 'face' }), make('div', who),"
        "make('div', new Date().toLocaleTimeString()), make('div', text)); log.append(m); return m };"
        "onEnter(q => { row('Grace Hopper', q); const m = row('Workshop Helper', ''); later(() => { m.lastChild.textContent = ANSWER }) })",
        style=".face{display:block;width:24px;height:24px;border-radius:50%}",
    ),
    "ticks": page(
        "onEnter(q => { const m = add(q, 'div'); const tick = make('div', 'Sending'); m.append(tick); setTimeout(() => { tick.textContent ="
        "'Sent' }, 300); setTimeout(() => { tick.textContent = '✓✓ Delivered' }, 900); later(() => add(ANSWER)) })"
    ),
    "titled": page(
        "onEnter(q => { add(q); titles.append(make('li', q)); head.textContent = q; later(() => add(ANSWER)) })",
        f"<nav><ul id=titles></ul></nav><h1 id=head>New chat</h1><div id=log></div>{FORM}",
    ),
    "echo-late": page("onEnter(q => { setTimeout(() => add(q), Math.min(delay / 2, 4000)); later(() => { if (!delay) add(q); add(ANSWER) }) })"),
    "no-echo": page("onEnter(q => { later(() => { out.textContent = ANSWER }) })", f"<div id=log></div><p id=out>Ask me anything.</p>{FORM}"),
    # How the app shows that it works.
    "thinking": page("onEnter(q => { add(q); const m = add('Thinking…'); later(() => { m.textContent = ANSWER }) })"),
    "dots": page("onEnter(q => { add(q); const m = add('.'); const t = setInterval(() => { m.textContent = '.'.repeat(1 + m.textContent.length % 3) }, 400); later(() => { clearInterval(t); m.textContent = ANSWER }) })"),
    "spinner": page("onEnter(q => { add(q); const m = add('', 'div'); m.className = 'wheel'; later(() => { m.remove(); add(ANSWER) }) })", style=SPIN),
    "skeleton": page(
        "onEnter(q => { add(q); const m = add('', 'div'); m.className = 'skeleton-line'; later(() => { m.className = ''; m.textContent = ANSWER }) })",
        style=".skeleton-line{width:200px;height:1em;background:#ddd}",
    ),
    "aria-busy": page("onEnter(q => { add(q); log.ariaBusy = 'true'; const m = add('Let me see.'); later(() => { log.ariaBusy = 'false'; add(ANSWER) }) })"),
    "disabled": page("onEnter(q => { add(q); field.disabled = true; add('Let me see.'); later(() => { field.disabled = false; add(ANSWER) }) })"),
    "stop-button": page(
        "onEnter(q => { add(q); add('Let me see.'); halt.hidden = false; later(() => { halt.hidden = true; add(ANSWER) }) })",
        f"<div id=log></div>{FORM}<button id=halt hidden>Stop generating</button>",
    ),
    "queue": page("onEnter(q => { add(q); const m = add('Your request is queued (position 3)'); later(() => { m.textContent = ANSWER }) })"),
    "request": page(
        "onEnter(async q => { add(q); add('Let me look that up.'); await (await fetch('/slow' + location.search)).text(); add(ANSWER) })"
    ),
    "working-words": page(
        "onEnter(async q => { add(q); const m = add('Searching the repository…'); const steps = ['Reading 3 files…', 'Summarizing…'];"
        "const t = setInterval(() => { m.textContent = steps[Math.floor(Math.random() * 2)] }, 1300); later(() => { clearInterval(t); m.remove(); add(ANSWER) }) })"
    ),
    # How the answer comes.
    "stream": page(
        "onEnter(async q => { add(q); await sleep(delay); const m = add(''); for (const w of ANSWER.split(' ')) { m.textContent += w + ' '; await sleep(120) } })"
    ),
    "stream-pauses": page(
        "onEnter(async q => { add(q); await sleep(delay); const m = add(''); for (const w of ['I looked at it. ', 'There are', ' 12', ' commits.']) {"
        "m.textContent += w; await sleep(2400) } })"
    ),
    "half-sentence": page("onEnter(async q => { add(q); await sleep(delay); const m = add('There are'); await sleep(4500); m.textContent += ' 12 commits.' })"),
    "short-answer": page("onEnter(q => { add(q); later(() => add('12')) })"),
    "newest-first": page(
        "const put = t => log.prepend(make('p', t)); onEnter(q => { put(q); later(() => put(ANSWER)) })", f"{FORM}<div id=log></div>"
    ),
    "neighbours": page("onEnter(q => { field.before(make('p', q)); later(() => field.before(make('p', ANSWER))) })", "<input id=field aria-label=Ask><i id=log></i>"),
    "panes": page(
        "onEnter(q => { log.append(make('li', q)); later(() => { out.textContent = ANSWER }) })",
        f"<div style='display:flex'><aside><ul id=log></ul></aside><section><p id=out></p>{FORM}</section></div>",
    ),
    "redrawn": page(
        "const all = []; const draw = () => log.replaceChildren(...all.map(t => make('p', t)));"
        "onEnter(q => { all.push(q); draw(); const t = setInterval(draw, 500); later(() => { all.push(ANSWER); draw(); clearInterval(t) }) })"
    ),
    "navigates": page(
        "const old = JSON.parse(sessionStorage.all ?? '[]'); old.forEach(t => add(t)); if (old.length % 2) later(() => { add(ANSWER);"
        "sessionStorage.all = JSON.stringify([...old, ANSWER]) }); else if (!old.length) add('Welcome.');"
        "onEnter(q => { sessionStorage.all = JSON.stringify([...JSON.parse(sessionStorage.all ?? '[]'), q]); location.href = location.pathname + location.search + '&n=' + old.length })"
    ),
    # What else moves on the page.
    "clock": page("setInterval(() => { now.textContent = new Date().toLocaleTimeString() }, 1000); onEnter(q => { add(q); later(() => add(ANSWER)) })", f"<p id=now></p><div id=log></div>{FORM}"),
    "clock-inside": page("onEnter(q => { add(q); const m = add('0 s ago', 'div'); let n = 0; setInterval(() => { m.textContent = ++n + ' s ago' }, 1000); later(() => add(ANSWER)) })"),
    "counter-inside": page("onEnter(q => { add(q); const m = add('', 'div'); later(() => { add(ANSWER); let n = 0; setInterval(() => { m.textContent = 'Viewed 1' + n++ + ' times by 3 people' }, 1000) }) })"),
    "tips": page(
        "const tips = ['Press Escape to stop.', 'Ask about commits.', 'Widgets can be moved.']; let n = 0;"
        "setInterval(() => { tip.textContent = tips[++n % 3] }, 700); onEnter(q => { add(q); later(() => add(ANSWER)) })",
        f"<p id=tip>Press Escape to stop.</p><div id=log></div>{FORM}",
    ),
    "toast": page(
        "onEnter(q => { add(q); const t = make('div', 'Your message was sent to the assistant.', { role: 'status' }); document.body.append(t);"
        "setTimeout(() => t.remove(), 4000); later(() => add(ANSWER)) })"
    ),
    "floating-toast": page(
        "onEnter(q => { add(q); const t = make('div', 'Your message was sent to the assistant.'); t.style = 'position:fixed;top:0;right:0';"
        "document.body.append(t); setTimeout(() => t.remove(), 6000); later(() => add(ANSWER)) })"
    ),
    "notice": page(
        "onEnter(q => { add(q); note.textContent = 'Your message was sent to the assistant.'; setTimeout(() => { note.textContent = '' }, 5000); later(() => add(ANSWER)) })",
        f"<p id=note></p><div id=log></div>{FORM}",
    ),
    "badge": page(
        "let n = 0; onEnter(q => { add(q); count.textContent = ++n + ' messages'; later(() => { add(ANSWER); count.textContent = ++n + ' messages'; badge.textContent = '1 new message' }) })",
        f"<header><b id=count>0 messages</b> <i id=badge></i></header><div id=log></div>{FORM}",
    ),
    "suggestions": page(
        "onEnter(q => { add(q); const row = make('div', ''); row.append(make('button', 'Show open issues'), make('button', 'Compare with last week')); log.append(row); later(() => row.before(make('p', ANSWER))) })"
    ),
    "old-history": page(
        "setTimeout(() => log.prepend(make('p', 'Yesterday you asked about issues.'), make('p', 'There were 40 of them.')), 1200); onEnter(q => { add(q); later(() => add(ANSWER)) })"
    ),
    # Those that never answer.
    "never": page("onEnter(q => { add(q) })"),
    "never-named": page(
        "const row = (who, text) => { const m = make('div', ''); m.append(make('div', who), make('div', new Date().toLocaleTimeString()),"
        "make('div', text)); log.append(m) }; onEnter(q => { row('Grace Hopper', q); row('Workshop Helper', '') })"
    ),
    "never-spins": page("onEnter(q => { add(q); add('I look into it.'); const m = add('', 'div'); m.className = 'wheel' })", style=SPIN),
    "never-taken": page("field.onkeydown = event => { if (event.key === 'Enter') event.preventDefault() }"),
    "never-redrawn": page("const old = [...Array(3)].map((_, n) => 'Old message ' + n + '.'); const draw = () => log.replaceChildren(...old.map(t => make('p', t))); draw(); onEnter(q => { old.push(q); draw(); setInterval(draw, 400) })"),
    "never-toast": page(
        "onEnter(q => { add(q); const t = make('div', 'The assistant could not be reached.', { role: 'alert' }); document.body.append(t) })"
    ),
    "never-delivered": page("onEnter(q => { const m = add('', 'div'); m.append(make('span', 'You'), make('p', q), make('small', '10:32 AM'), make('small', ' Delivered')) })"),
    "never-new-line": page("", "<div id=log></div><textarea id=field aria-label=Ask></textarea>"),
    "never-suggests": page("onEnter(q => { add(q); const row = make('div', ''); row.append(make('button', 'Show open issues')); log.append(row) })"),
    "never-tips": page(
        "const tips = ['Press Escape to stop.', 'Ask about commits.', 'Widgets can be moved.']; let n = 0;"
        "setInterval(() => { tip.textContent = tips[++n % 3] }, 900); onEnter(q => { add(q) })",
        f"<p id=tip>Press Escape to stop.</p><div id=log></div>{FORM}",
    ),
}
NEVER = [kind for kind in PAGES if kind.startswith("never")]


class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        address = urlsplit(self.path)
        kind = address.path.strip("/")
        if kind == "slow":
            time.sleep(float(parse_qs(address.query).get("delay", ["0"])[0]))
        body = PAGES.get(kind, "ok").encode()
        self.send_response(200)
        self.send_header("content-type", "text/html; charset=utf-8")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


def serve():
    """Starts the server; its port."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server.server_port


if __name__ == "__main__":
    print(json.dumps({"port": serve(), "kinds": list(PAGES)}), flush=True)
    threading.Event().wait()

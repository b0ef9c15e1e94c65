"""Chat pages on which a verdict can go wrong: a small server, one address for each kind of page.

`http://127.0.0.1:PORT/KIND?delay=4` is a page of that kind whose first words come after 4 s. `PAGES` names the kinds; those
in `NEVER` never answer.
"""

import base64
import hashlib
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

# The answer follows each prompt.
ANSWERS = "onEnter(q => { add(q); later(() => add(ANSWER)) })"
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
    "plain": page(ANSWERS),
    "textarea": page(ANSWERS, "<div id=log></div><textarea id=field></textarea>"),
    "editable": page(
        ANSWERS,
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
        ANSWERS,
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
    "markdown": page("onEnter(q => { const m = add(''); m.innerHTML = '<b>How many</b> <code>commits</code>?'; later(() => add(ANSWER)) })"),
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
    "aria-busy": page("onEnter(q => { add(q); log.ariaBusy = 'true'; const m = add('The repository is large.'); later(() => { log.ariaBusy = 'false'; add(ANSWER) }) })"),
    "disabled": page("onEnter(q => { add(q); field.disabled = true; add('The repository is large.'); later(() => { field.disabled = false; add(ANSWER) }) })"),
    "stop-button": page(
        "onEnter(q => { add(q); add('The repository is large.'); halt.hidden = false; later(() => { halt.hidden = true; add(ANSWER) }) })",
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
    # Evidence that more follows, although the page shows no sign of work.
    "announces": page("onEnter(q => { add(q); add('I will look that up.'); setTimeout(() => add(ANSWER), 5000 + delay) })"),
    "agrees": page("onEnter(q => { add(q); add('Sure!'); setTimeout(() => add(ANSWER), 5000 + delay) })"),
    "posts": page(
        "onEnter(async q => { add(q); add('The repository is large.'); await (await fetch('/slow?delay=22', { method: 'POST', body:"
        "JSON.stringify({ messages: [{ content: q }] }) })).text(); add(ANSWER) })"
    ),
    "event-stream": page(
        "onEnter(q => { add(q); const source = new EventSource('/events?pause=' + (6 + delay / 1000) + '&q=' + encodeURIComponent(q));"
        "source.onmessage = event => { if (event.data === 'end') source.close(); else add(event.data) } })"
    ),
    "fetch-stream": page(
        "onEnter(async q => { add(q); const answer = await fetch('/events?pause=' + (6 + delay / 1000), { method: 'POST', body: q });"
        "const m = add(''); const reader = answer.body.getReader(); const decoder = new TextDecoder();"
        "for (let read; !(read = await reader.read()).done;) m.textContent += decoder.decode(read.value).replace(/data: |end/g, '') })"
    ),
    "button-turns": page(
        "const act = () => { const q = field.value; if (!q || go.busy) return; field.value = ''; add(q); add('The repository is large.'); go.busy = true;"
        "mark.setAttribute('d', 'M2 2H14V14H2z'); setTimeout(() => { mark.setAttribute('d', 'M0 0L16 8L0 16z'); go.busy = false; add(ANSWER) }, 6000 + delay) };"
        "go.onclick = act; onEnter(q => { act(); return false })",
        "<div id=log></div><div><input id=field aria-label=Ask><button id=go aria-label=Send><svg width=16 height=16><path id=mark d='M0 0L16 8L0 16z'/></svg></button></div>",
    ),
    # Connections that stay open and say nothing about the answer.
    "long-poll": page("const poll = async () => { for (;;) await (await fetch('/slow?delay=7')).text() }; poll(); onEnter(q => { add(q); later(() => add(ANSWER)) })"),
    "socket": page("const socket = new WebSocket(`ws://${location.host}/connect`); onEnter(q => { add(q); later(() => add(ANSWER)) })"),
    "events-go-on": page("let source; onEnter(q => { source ??= new EventSource('/events?endless=1'); add(q); later(() => add(ANSWER)) })"),
    # Where the prompt stays in the input.
    "prompt-stays": page("onEnter(q => { add(q); later(() => add(ANSWER)); return false })"),
    # How lists and views change.
    "virtual": page(
        "for (let n = 0; n < 6; n++) add('Old message ' + n + '.'); const put = t => { add(t); while (log.children.length > 6) log.firstChild.remove() };"
        "onEnter(q => { put(q); later(() => put(ANSWER)) })"
    ),
    "welcome-replaced": page(
        "const talk = q => { main.innerHTML = '<div id=all></div><textarea id=next placeholder=Reply></textarea>'; const put = t => all.append(make('p', t));"
        "const ask = q => { put(q); later(() => put(ANSWER)) }; next.onkeydown = e => { if (e.key !== 'Enter') return; e.preventDefault(); const q = next.value; next.value = ''; ask(q) }; ask(q) };"
        "onEnter(q => { talk(q) })",
        f"<div id=main><h1>What can I do for you?</h1><button>Show issues</button><div id=log></div>{FORM}</div>",
    ),
    "queues": page(
        "const waiting = []; let busy = false; const next = () => { if (busy || !waiting.length) return; busy = true; const { q, row } = waiting.shift(); row.remove(); add(q);"
        "later(() => { add(ANSWER); busy = false; next() }) }; onEnter(q => { const row = make('li', q); row.append(make('small', ' Queued')); line.append(row); waiting.push({ q, row }); setTimeout(next, 1500) })",
        f"<div id=log></div><ul id=line></ul>{FORM}",
    ),
    "draft": page("onEnter(q => { add(q); later(() => { const m = add('There are 11 commits.'); setTimeout(() => { m.textContent = ANSWER }, 2500) }) })"),
    "placeholder-then-heading": page(
        "onEnter(q => { add(q); const m = add('Thinking…'); later(async () => { m.textContent = 'Here is the answer:'; await sleep(3500); add(ANSWER) }) })"
    ),
    "reasoning": page(
        "onEnter(async q => { add(q); const d = make('details', '', { open: true }); const s = make('summary', 'Thinking…'); const p = make('p', '');"
        "d.append(s, p); log.append(d); for (const w of ['The user asks for commits.', ' I should count them.']) { p.textContent += w; await sleep(1500) }"
        "await sleep(2000 + delay); s.textContent = 'Thought for 5 seconds'; d.open = false; add(ANSWER) })"
    ),
    "said": page(
        "const row = (who, t) => { const m = make('article', ''); m.append(make('h5', who + ' said:', { className: 'sr' }), make('div', t)); log.append(m); return m };"
        "onEnter(q => { row('You', q); later(() => row('Helper', ANSWER)) })",
        style=".sr{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}",
    ),
    "cursor": page(
        "onEnter(async q => { add(q); await sleep(delay); const m = add(''); let t = ''; for (const w of ANSWER.split(' ')) { t += w + ' '; m.innerHTML = t + '<span>▌</span>'; await sleep(400) } m.textContent = t })"
    ),
    "table": page(
        "onEnter(q => { add(q); later(() => { const t = make('table', ''); t.innerHTML = '<tr><th>Kind<th>Count<tr><td>Commits<td>There are 12 commits'; log.append(t) }) })"
    ),
    # Other ways of typing and sending.
    "widget": page(
        ANSWERS,
        f"<h1>Shop</h1><p>Welcome to the shop.</p><section style='position:fixed;bottom:0;right:0;width:300px;background:#eee'><div id=log></div>{FORM}</section>",
    ),
    "banner": page(
        "no.onclick = () => cover.remove(); onEnter(q => { add(q); later(() => add(ANSWER)) })",
        f"<div id=log></div>{FORM}<div id=cover style='position:fixed;inset:0;background:#0008'><p style='background:#fff'>We use cookies.</p><button id=no>Accept all</button></div>",
    ),
    "enter-twice": page("let once = ''; onEnter(q => { if (once !== q) { once = q; return false } once = ''; add(q); later(() => add(ANSWER)) })"),
    "composition": page(
        "let composing = false; field.addEventListener('compositionstart', () => { composing = true }); field.addEventListener('compositionend', () => { composing = false });"
        "field.addEventListener('keydown', event => { if (event.isComposing || event.keyCode === 229 || composing) event.stopImmediatePropagation() });"
        "onEnter(q => { add(q); later(() => add(ANSWER)) })"
    ),
    "popup": page(
        "field.oninput = () => setTimeout(() => { list.replaceChildren(...(field.value ? [make('li', field.value + ' this week', { role: 'option' }), make('li', field.value + ' today', { role: 'option' })] : [])) }, 200);"
        "onEnter(q => { list.replaceChildren(); add(q); later(() => add(ANSWER)) })",
        f"<div id=log></div>{FORM}<ul id=list role=listbox></ul>",
    ),
    "sidebar-late": page(
        "setTimeout(() => old.append(make('p', 'How many issues?'), make('p', 'There are 40 issues.')), 1400); onEnter(q => { add(q); later(() => add(ANSWER)) })",
        f"<aside id=old></aside><div id=log></div>{FORM}",
    ),
    # Where the conversation is, and what its messages are.
    "assertive": page(ANSWERS, f"<div id=log aria-live=assertive></div>{FORM}"),
    "popover-chat": page(
        "panel.showPopover(); onEnter(q => { add(q); later(() => add(ANSWER)) })", f"<h1>Shop</h1><section id=panel popover=manual><div id=log></div>{FORM}</section>"
    ),
    "classed": page("document.body.className = 'notifications-on'; onEnter(q => { add(q); later(() => add(ANSWER)) })"),
    "modal-chat": page("box.showModal(); onEnter(q => { add(q); later(() => add(ANSWER)) })", f"<h1>Shop</h1><dialog id=box><div id=log></div>{FORM}</dialog>"),
    "clickable": page("onEnter(q => { add(q, 'div'); later(() => add(ANSWER, 'div')) })", style="#log div{cursor:pointer}"),
    "pressable": page(
        "const put = t => Object.assign(add(t, 'div'), { role: 'button', tabIndex: 0 }); onEnter(q => { put(q); later(() => put(ANSWER)) })"
    ),
    "skipped-far-away": page(
        "const put = t => { add(t); log.scrollTop = 1e6 }; for (let n = 0; n < 40; n++) put('Old message ' + n + '.'); onEnter(q => { put(q); later(() => put(ANSWER)) })",
        style="#log{height:120px;overflow:auto} #log p{content-visibility:auto;contain-intrinsic-size:40px}",
    ),
    "output-box": page("let n = 0; onEnter(q => { later(() => { out.value = `Answer ${++n}: ${ANSWER}` }) })", f"<div id=log></div><textarea id=out readonly aria-label=Answer></textarea>{FORM}"),
    "transcript-box": page(
        "onEnter(q => { out.value += `User: ${q}\\n`; later(() => { out.value += `Bot: ${ANSWER}\\n` }) })",
        f"<div id=log></div><textarea id=out readonly rows=12 aria-label=Conversation></textarea>{FORM}",
    ),
    "combobox": page(
        ANSWERS,
        "<div id=log></div><input id=field role=combobox aria-expanded=false aria-controls=none aria-label='Message the assistant'>",
    ),
    "searchbox": page(ANSWERS, "<div id=log></div><input id=field type=search placeholder='Ask anything'>"),
    # What is new beside the answer, long before it.
    "seen": page(
        "onEnter(q => { const m = add('', 'div'); m.append(make('p', q)); setTimeout(() => m.append(make('small', 'Seen by Workshop Helper')), 700);"
        "setTimeout(() => add(ANSWER), 6000 + delay) })"
    ),
    "message-sent": page(
        "onEnter(q => { const m = add('', 'div'); m.append(make('p', q), make('span', 'Message sent.')); setTimeout(() => add(ANSWER), 6000 + delay) })"
    ),
    "joins": page("onEnter(q => { add(q); add('Workshop Helper joined the conversation'); setTimeout(() => add(ANSWER), 6000 + delay) })"),
    "acknowledges": page(
        "onEnter(q => { add(q); add('Thank you for your message. The assistant will reply shortly.'); setTimeout(() => add(ANSWER), 6000 + delay) })"
    ),
    "icons": page(
        "onEnter(q => { const m = add('', 'div'); m.append(make('p', q), make('i', 'content_copy', { className: 'material-icons' }));"
        "setTimeout(() => add(ANSWER), 6000 + delay) })"
    ),
    "generated-title": page(
        "onEnter(q => { add(q); setTimeout(() => { head.textContent = 'Counting the repository'; old.prepend(make('div', 'Counting the repository')) }, 1500);"
        "setTimeout(() => add(ANSWER), 15000 + delay) })",
        f"<div class=sidebar id=old><div>Broken wheel</div></div><h2 id=head>New chat</h2><div id=log></div>{FORM}",
    ),
    "draft-saved": page(
        "onEnter(q => { add(q); setTimeout(() => { state.textContent = 'All changes saved' }, 1500); setTimeout(() => add(ANSWER), 15000 + delay) })",
        f"<div id=log></div>{FORM}<div id=state></div>",
    ),
    "steps-stay": page(
        "onEnter(async q => { add(q); const list = add('', 'ul'); for (const t of ['Searching the repository', 'Reading results']) { list.append(make('li', t));"
        "await sleep(1500) } later(() => add(ANSWER)) })"
    ),
    # Those that never answer.
    "never-suggests-typed": page(
        "let timer; field.oninput = () => { clearTimeout(timer); timer = setTimeout(() => out.replaceChildren(...(field.value ? [make('p', field.value), make('p', 'There are 12 commits in all.')] : [])), 500) };"
        "field.onkeydown = event => { if (event.key === 'Enter') event.preventDefault() }",
        f"<div id=log></div><div id=out></div>{FORM}",
    ),
    "never-delivers": page("onEnter(q => { add(q); add('Not delivered.'); add('There are 12 people online.'); return false })"),
    "never-stays": page("onEnter(q => { add(q); return false })"),
    "never-sidebar": page(
        "setTimeout(() => old.append(make('p', 'There are 12 commits.')), 1400); onEnter(q => { add(q) })",
        f"<aside id=old></aside><div id=log></div>{FORM}",
    ),
    "never-closed": page(
        "const root = box.attachShadow({ mode: 'closed' }); root.innerHTML = '<textarea aria-label=Ask></textarea>'", "<div id=log></div><div id=box></div>"
    ),
    "never-modal": page("box.showModal(); onEnter(q => { add(q) })", f"<div id=log></div>{FORM}<dialog id=box><p>We use cookies.</p><button>Accept</button></dialog>"),
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
    "never-seen": page("onEnter(q => { const m = add('', 'div'); m.append(make('p', q)); setTimeout(() => m.append(make('small', 'Seen by Workshop Helper')), 700) })"),
    "never-joins": page("onEnter(q => { add(q); add('Workshop Helper joined the conversation') })"),
    "never-fails-to-send": page("onEnter(q => { const m = add('', 'div'); m.append(make('p', q), make('span', 'Failed to send. Tap to retry.')) })"),
    "never-refused": page("onEnter(q => { note.textContent = 'Your message could not be sent.' })", f"<div id=log></div><p id=note></p>{FORM}"),
    "never-titled": page(
        "onEnter(q => { add(q); setTimeout(() => { head.textContent = 'Counting the repository'; old.prepend(make('div', 'Counting the repository')) }, 1500) })",
        f"<div class=sidebar id=old><div>Broken wheel</div></div><h2 id=head>New chat</h2><div id=log></div>{FORM}",
    ),
    "never-saved": page(
        "onEnter(q => { add(q); setTimeout(() => { state.textContent = 'All changes saved' }, 1500) })", f"<div id=log></div>{FORM}<div id=state></div>"
    ),
    "never-icons": page(
        "onEnter(q => { const m = add('', 'div'); m.append(make('p', q), make('i', 'content_copy', { className: 'material-icons' })) })"
    ),
    "never-limit": page(
        "onEnter(q => { add(q); const box = make('div', '', { role: 'dialog' }); box.style = 'position:absolute;top:9em'; box.append(make('h2', 'Daily limit'),"
        "make('p', 'You have used 12 of 12 questions.')); document.body.append(box) })"
    ),
    "never-foreign-frame": page("document.querySelector('iframe').src = location.href.replace('127.0.0.1', 'localhost').replace('never-foreign-frame', 'plain')", "<h1>Help</h1><iframe></iframe>"),
}


# Further keys of a page's target.
KEYS = {"sidebar-late": 'response = "reply"', "old-history": 'response = "reply"', "draft": 'response = "reply"'}
# What its answer must not say.
MUST_NOT_SAY = {"sidebar-late": ["40"], "old-history": ["40"], "draft": ["11"]}
# The paths that were asked for.
ASKED = []


class Handler(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        self.rfile.read(int(self.headers.get("content-length", 0)))
        self.do_GET()

    def do_GET(self):
        ASKED.append(self.path)
        address = urlsplit(self.path)
        kind = address.path.strip("/")
        query = {key: values[0] for key, values in parse_qs(address.query).items()}
        if kind == "events":
            return self.events(query)
        if kind == "connect":
            return self.socket()
        if kind == "slow":
            time.sleep(float(query.get("delay", 0)))
        body = PAGES.get(kind, "ok").encode()
        self.send_response(200)
        self.send_header("content-type", "text/html; charset=utf-8")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def events(self, query):
        """A sentence, a pause, the answer; or a stream without an end in which nothing comes."""
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.end_headers()
        say = lambda text: (self.wfile.write(f"data: {text}\n\n".encode()), self.wfile.flush())
        try:
            if "endless" in query:
                while True:
                    time.sleep(2)
                    self.wfile.write(b": still here\n\n")
                    self.wfile.flush()
            say("The repository is large.")
            time.sleep(float(query["pause"]))
            say("There are 12 commits.")
            say("end")
        except OSError:
            pass

    def socket(self):
        """A WebSocket that opens and stays silent."""
        key = self.headers["sec-websocket-key"] + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
        self.protocol_version = "HTTP/1.1"
        self.send_response(101)
        self.send_header("upgrade", "websocket")
        self.send_header("connection", "Upgrade")
        self.send_header("sec-websocket-accept", base64.b64encode(hashlib.sha1(key.encode()).digest()).decode())
        self.end_headers()
        self.wfile.flush()
        self.rfile.read()

    def handle(self):
        try:
            super().handle()
        except ConnectionError:
            pass  # The page is gone.

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

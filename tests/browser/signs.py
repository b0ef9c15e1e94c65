"""Pages for the signs in `src/targets/browser/probe/signs.md`: each fails without the sign of its row, and holds with it."""

from pages import FORM, SPIN, page

PAGES = {}
# Pages that answer once.
ONE_TURN = ["sign-ready-state", "sign-field-replaced"]
# What a page says if it is not the usual answer.
ANSWERS = {
    "sign-sentence-label": "I copied you",
    "sign-yes-named": "Yes",
    "sign-answer-again": "Blue",
    "sign-receipt-answer": "Received",
    "sign-heading-again": "Blue",
}
# The controls within the answer of a page, and the words of those around it.
OFFERS = {}
AROUND = {}
LARGE = "add('The repository is large.');"


def works(on, off, body=None, **kw):
    script = f"onEnter(q => {{ add(q); {LARGE} {on}; later(() => {{ {off}; add(ANSWER) }}) }})"
    return page(script, body, **kw) if body else page(script, **kw)
def W(word):
    return page(f"onEnter(q => {{ add(q); const m = add('{word}'); later(() => {{ m.textContent = ANSWER }}) }})")
SEND = "go.onclick = () => { const q = field.value; field.value = ''; add(q); later(() => add(ANSWER)) }"


def button(html):
    return page(SEND, f"<div id=log></div><div><textarea id=field aria-label=Ask></textarea><button>+</button>{html}</div>")
PAGES["sign-progress"] = works("const m = add('', 'progress')", "m.remove()")
PAGES["sign-progressbar"] = works("const m = Object.assign(add('', 'div'), { role: 'progressbar' }); m.style = 'height:4px;background:blue'", "m.remove()")
PAGES["sign-progress-full"] = page("onEnter(q => { add(q); later(() => { add(ANSWER); Object.assign(add('', 'progress'), { max: 4, value: 4 }) }) })")
PAGES["sign-moving-svg"] = works("const m = add('', 'div'); m.innerHTML = '<svg width=20 height=20><circle cx=10 cy=10 r=5><animate attributeName=r values=3;6;3 dur=1s repeatCount=indefinite /></circle></svg>'", "m.remove()")
PAGES["sign-moving-image"] = works("const m = Object.assign(add('', 'img'), { alt: 'Loading', width: 20, height: 20, src: 'data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///ywAAAAAAQABAAACAUwAOw==' })", "m.remove()")
PAGES["sign-stop-class"] = works("halt.hidden = false", "halt.hidden = true", f"<div id=log></div>{FORM}<button id=halt class=stop-button hidden>&#9632;</button>")
PAGES["sign-stop-icon"] = works("halt.hidden = false", "halt.hidden = true", f"<div id=log></div>{FORM}<button id=halt hidden><svg class=icon-stop width=16 height=16><rect width=16 height=16 /></svg></button>")
PAGES["sign-stop-beside"] = page("go.onclick = () => { const q = field.value; field.value = ''; add(q); later(() => add(ANSWER)) }", "<div id=log></div><div><textarea id=field aria-label=Ask></textarea><button class=stop><svg width=9 height=9><rect width=9 height=9 /></svg></button><button id=go><svg width=16 height=16><path d='M0 0L16 8L0 16z'/></svg></button></div>")
PAGES["sign-spinner-class"] = works("const m = add('', 'div'); m.className = 'loader'", "m.remove()", style=".loader{width:20px;height:20px;border:2px solid}")
PAGES["sign-not-loading"] = page("onEnter(q => { add(q); later(() => { add('', 'div').className = 'not-loading box'; add(ANSWER) }) })", style=".box{width:9px;height:9px;background:#ddd}")
PAGES["sign-busy-text"] = page("onEnter(q => { add(q); later(() => { add(ANSWER).className = 'typing-effect' }) })")
PAGES["sign-spinner-input"] = page("onEnter(q => { add(q); later(() => { add(ANSWER); box.className = 'busy-box' }) })", "<div id=log></div><div id=box><input id=field aria-label=Ask></div>")
PAGES["sign-state"] = page(f"onEnter(q => {{ add(q); const m = add('The repository is large.'); m.dataset.state = 'streaming'; later(() => {{ m.dataset.state = 'done'; add(ANSWER) }}) }})")
PAGES["sign-data-loading"] = page(f"onEnter(q => {{ add(q); const m = add('The repository is large.'); m.dataset.loading = 'true'; later(() => {{ delete m.dataset.loading; add(ANSWER) }}) }})")
PAGES["sign-data-loading-false"] = page("onEnter(q => { add(q); later(() => { add(ANSWER).dataset.loading = 'false' }) })")
PAGES["sign-state-input"] = page("onEnter(q => { add(q); later(() => { add(ANSWER); box.dataset.state = 'streaming' }) })", f"<div id=log></div><div id=box data-state=ready>{FORM}</div>")
PAGES["sign-cursor-button"] = works("go.style.cursor = 'progress'", "go.style.cursor = ''", f"<div id=log></div>{FORM}<button id=go>Send</button>")
PAGES["sign-cursor-body"] = works("document.body.style.cursor = 'wait'", "document.body.style.cursor = ''")
PAGES["sign-wheel-frame"] = page("const f = document.querySelector('iframe'), inner = f.contentDocument; const put = (t, c = '') => { const m = inner.createElement('p'); m.textContent = t; m.className = c; inner.body.append(m); return m };"
    f"inner.body.innerHTML = '<style>{SPIN}</style>'; onEnter(q => {{ put(q); put('The repository is large.'); const m = put('', 'wheel'); later(() => {{ m.remove(); put(ANSWER) }}) }})", f"<iframe style='width:600px;height:300px'></iframe>{FORM}")
PAGES["sign-finite-motion"] = page("onEnter(q => { add(q); later(() => { add(ANSWER).animate([{ opacity: .5 }, { opacity: 1 }], { duration: 60000 }) }) })")
PAGES["sign-wheel-before"] = page("onEnter(q => { add(q); later(() => add(ANSWER)) })", f"<div class=wheel></div><div id=log></div>{FORM}", style=SPIN)
PAGES["sign-placeholder"] = works("field.placeholder = 'Thinking…'", "field.placeholder = 'Ask anything'", "<div id=log></div><input id=field placeholder='Ask anything'>")
PAGES["sign-ready-state"] = page("const body = document.body.innerHTML, put = t => document.write(`<p>${t}`);"
    "onEnter(q => { document.open(); put(q); put('The repository is large.'); setTimeout(() => { put(ANSWER); document.write('<input id=field>'); document.close() }, delay) })")
PAGES["sign-sentence-label"] = page("onEnter(q => { add(q); later(() => { add('I copied you a message.') }) })")
PAGES["sign-labelled-stays"] = page("onEnter(q => { add('You: ' + q); later(() => add(ANSWER)); return false })")
PAGES["sign-yes-named"] = page("const row = (who, t) => log.append(make('div', who), make('div', t)); onEnter(q => { row('Grace Hopper', q); later(() => row('Workshop Helper', 'Yes')) })")
PAGES["sign-dated"] = page("onEnter(q => { const m = add('', 'div'); m.append(make('p', q), make('div', '2026-11-27')); setTimeout(() => add(ANSWER), 6000 + delay) })")
PAGES["sign-bare-doing"] = W("Thinking")
PAGES["sign-waits-ing"] = W("Counting the commits of this year…")
PAGES["sign-nothing"] = page("onEnter(q => { add(q); later(() => add('Nothing is missing: There are 12 commits and some more…')) })")
PAGES["sign-still"] = W("Still thinking")
PAGES["sign-bullets"] = works("const m = add('• • •')", "m.remove()")
PAGES["sign-cursor-pause"] = page("onEnter(q => { add(q); const m = add('The repository is large. ▌'); later(() => { m.textContent = 'The repository is large. ' + ANSWER }) })")
PAGES["sign-short-waits"] = W("The widgets…")
PAGES["sign-is-typing"] = W("Workshop Helper is typing")
PAGES["sign-one-moment"] = W("One moment please")
PAGES["sign-control-reading"] = page("onEnter(q => { add(q); later(() => { add(ANSWER); log.append(make('button', 'Recording')) }) })")
PAGES["sign-receipt-class"] = page("onEnter(q => { add(q); setTimeout(() => { log.append(make('div', 'Seen by Workshop Helper', { className: 'message-status' })) }, 500); setTimeout(() => add(ANSWER), 6000 + delay) })")
PAGES["sign-receipt-answer"] = page("onEnter(q => { add(q); later(() => add('Received')) })")
PAGES["never-sign-toast-class"] = page("onEnter(q => { add(q); log.append(make('div', 'We look forward to hearing from you.', { className: 'toast-box' })) })")
PAGES["sign-modal-no-echo"] = page("box.showModal(); onEnter(q => { later(() => { out.textContent = ANSWER }) })", f"<h1>Shop</h1><dialog id=box><p id=out>Ask me anything.</p><div id=log></div>{FORM}</dialog>")
PAGES["never-sign-fixed-low"] = page("onEnter(q => { add(q); const t = make('div', 'We look forward to hearing from you.'); t.style = 'position:fixed;bottom:0;right:0'; document.body.append(t) })")
PAGES["sign-name-round"] = page("onEnter(q => { add(q); const m = add('', 'div'); m.append(make('div', 'WH', { className: 'face' })); setTimeout(() => m.append(make('div', ANSWER)), 6000 + delay) })", style=".face{width:24px;height:24px;border-radius:50%}")
PAGES["sign-name-class"] = page("onEnter(q => { add(q); const m = add('', 'div'); m.append(make('div', 'workshop helper', { className: 'author' })); setTimeout(() => m.append(make('div', ANSWER)), 6000 + delay) })")
PAGES["sign-name-known"] = page("add('Workshop Helper', 'div'); add('Hello.'); onEnter(q => { add(q); add('Workshop Helper', 'div'); setTimeout(() => add(ANSWER), 6000 + delay) })")
PAGES["sign-answer-again"] = page("onEnter(q => { add(q); later(() => add('Blue')) })")
PAGES["never-sign-sidebar"] = page("add('Welcome.'); onEnter(q => { add(q); setTimeout(() => old.append(make('p', 'There are 40 issues.')), 700) })", f"<aside id=old></aside><div id=log></div>{FORM}")
PAGES["sign-sidebar-after"] = page("onEnter(q => { add(q); setTimeout(() => old.append(make('p', 'There are 40 issues.')), 700); setTimeout(() => add(ANSWER), 15000 + delay) })", f"<aside id=old></aside><div id=log></div>{FORM}")
PAGES["never-sign-sidebar-class"] = PAGES["never-sign-sidebar"].replace("<aside id=old></aside>", "<div id=old class=sidebar></div>")
PAGES["sign-sidebar-stays"] = page("onEnter(q => { add(q); later(() => add(ANSWER)); return false })", f"<h1>Shop</h1><aside class=sidebar><div id=log></div>{FORM}</aside>")
PAGES["never-sign-aside-message"] = page("onEnter(q => { box.replaceChildren(make('p', q), make('p', 'There are 12 more like it.')); return false })", f"<aside id=box></aside><div id=log></div>{FORM}")
PAGES["never-sign-button-message"] = page("onEnter(q => { box.replaceChildren(make('button', q), make('p', 'There are 12 more like it.')); return false })", f"<div id=box></div><div id=log></div>{FORM}")
PAGES["never-sign-notice-message"] = page("onEnter(q => { box.replaceChildren(make('p', q), make('p', 'There are 12 more like it.')); return false })", f"<div id=box role=alert></div><div id=log></div>{FORM}")
PAGES["sign-pointer-chips"] = page("onEnter(q => { add(q); const row = make('div', ''); row.append(make('span', 'Show open issues', { className: 'chip' })); log.append(row); setTimeout(() => row.before(make('p', ANSWER)), 6000 + delay) })", style=".chip{display:block;cursor:pointer}")
PAGES["sign-panel"] = page("add('Welcome.'); onEnter(q => { add(q); setTimeout(() => old.append(make('p', 'Two people write here.')), 500); setTimeout(() => add(ANSWER), 6000 + delay) })", f"<div id=log></div><div id=old></div>{FORM}")
PAGES["sign-neighbour-heading"] = page("onEnter(q => { field.before(make('p', q)); later(() => field.before(make('h3', ANSWER))) })", "<input id=field aria-label=Ask><i id=log></i>")
PAGES["sign-no-echo-note"] = page("onEnter(q => { note.textContent = 'Two people write here.'; later(() => { out.textContent = ANSWER }) })", f"<p id=note></p><p id=out></p><div id=log></div>{FORM}")
PAGES["sign-field-replaced"] = page("onEnter(q => { add(q); add('The repository is large.'); const next = make('input', '', { disabled: true }); field.replaceWith(next); later(() => { next.disabled = false; add(ANSWER) }) })")
PAGES["never-sign-sr-only"] = page("onEnter(q => { add(q); add('Helper said:').className = 'sr' })", style=".sr{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}")
PAGES["sign-title-after"] = page("onEnter(q => { add(q); titles.append(make('li', q)); later(() => add(ANSWER)) })", f"<div id=log></div><nav><ul id=titles></ul></nav>{FORM}")
PAGES["sign-title-far"] = page("add('Welcome.'); onEnter(q => { add(q); titles.append(make('p', q)); later(() => add(ANSWER, 'h3')) })", f"<section><div id=log></div>{FORM}</section><div id=titles><p>Broken wheel</p></div>")
PAGES["sign-ask-button"] = button("<button id=go>Ask</button>")
PAGES["sign-symbol-button"] = button("<button id=go>&#10148;</button>")
PAGES["sign-class-button"] = button("<button id=go class=send-button><svg width=16 height=16><path d='M0 0L16 8L0 16z'/></svg></button>")
PAGES["sign-svg-button"] = button("<button id=go><svg class=paper-plane width=16 height=16><path d='M0 0L16 8L0 16z'/></svg></button>")
PAGES["sign-submit-button"] = page("form.onsubmit = e => { e.preventDefault(); const q = field.value; field.value = ''; add(q); later(() => add(ANSWER)) }",
    "<div id=log></div><form id=form><textarea id=field aria-label=Ask></textarea><button type=button>Voice</button><button type=submit>Los</button></form>")
PAGES["sign-submit-search"] = page("form.onsubmit = e => { e.preventDefault(); if (e.submitter.id !== 'go') return; const q = field.value; field.value = ''; add(q); later(() => add(ANSWER)) }",
    "<div id=log></div><form id=form><textarea id=field aria-label=Ask></textarea><button type=submit>Search</button><button id=go type=submit>Los</button></form>")
PAGES["sign-covered-button"] = page(SEND, "<div id=log></div><div style='position:relative'><textarea id=field aria-label=Ask></textarea><button id=go>Send</button><i style='position:absolute;inset:0'></i></div>")
PAGES["sign-far-send"] = page(SEND + "; other.onclick = () => add('Sent to Ada.')", "<section><button id=other>Send</button></section><div id=log></div><div><textarea id=field aria-label=Ask></textarea><button id=go>Send</button></div>")
PAGES["sign-heading-again"] = page("add('Blue', 'h3'); add('Welcome.'); onEnter(q => { add(q); later(() => add('Blue', 'h3')) })")
PAGES["never-sign-redrawn-first"] = page("const all = ['Old message.']; const draw = () => log.replaceChildren(...all.map(t => make('p', t))); draw(); onEnter(q => { all.unshift(q); draw() })", f"{FORM}<div id=log></div>")
PAGES["never-sign-named-inline"] = page("onEnter(q => { add('Grace Hopper: ' + q) })")
PAGES["never-sign-middle"] = page("onEnter(q => { add(q.slice(0, 6) + '…' + q.slice(-8)) })")
PAGES["never-sign-cut"] = page("onEnter(q => { add(q.slice(0, 14)) })")
PAGES["sign-quotes-no-echo"] = page("onEnter(q => { later(() => add('You ask ' + q + ' There are 12 commits in this repository now.')) })")
PAGES["sign-title-cut-div"] = page("onEnter(q => { add(q); titles.append(make('div', q.slice(0, 8) + '…')); later(() => add(ANSWER)) })", f"<div id=titles></div><div id=log></div>{FORM}")
PAGES["never-sign-counter-low"] = page("let n = 0; onEnter(q => { add(q); count.textContent = ++n + ' of 20 questions used' })", f"<div id=log></div><p id=count>0 of 20 questions used</p>{FORM}")
PAGES["never-sign-badge-low"] = page("onEnter(q => { add(q); badge.textContent = '1 new message' })", f"<div id=log></div><p id=badge></p>{FORM}")
PAGES["never-sign-rewritten-low"] = page("setInterval(() => { note.textContent = 'Two people write here.' }, 700); onEnter(q => { add(q) })", f"<div id=log></div><p id=note>Two people write here.</p>{FORM}")
PAGES["never-sign-suggests-class-stay"] = page("let timer; field.oninput = () => { clearTimeout(timer); timer = setTimeout(() => field.value && out.replaceChildren(...(field.value ? [make('p', field.value), make('p', 'There are 12 commits in all.')] : [])), 500) };"
    "field.onkeydown = event => { if (event.key === 'Enter') event.preventDefault() }", f"<div id=log></div><div id=out class=suggestions></div>{FORM}")
PAGES["never-sign-suggests-popup-stay"] = PAGES["never-sign-suggests-class-stay"].replace("class=suggestions", "role=listbox")

BRIEF = "<h3>Mission</h3><p>There are 12 commits.</p><ul><li>Reassign reviewers</li></ul>"
ACTIONS = "<button>Reframe mission</button><button>Lower priority</button><button>Use different objective</button><button>Snooze</button>"
TOOLS = "<button>Copy</button><button aria-label='Good response'>&#128077;</button><button>Regenerate</button><button>Export to a file</button>"
ICONS = "<button aria-label='Copy text'><svg width=9 height=9></svg></button><button title='Translate it'><svg width=9 height=9></svg></button>"


def answers(html, offers, around, message="<div class=message>{}</div>"):
    """A page whose answer is this HTML, within the HTML of a message."""
    whole = message.format(html).replace("`", "\\`")
    script = f"onEnter(q => {{ add(q); later(() => {{ const t = make('template', ''); t.innerHTML = `{whole}`; log.append(t.content) }}) }})"
    return page(script), offers, around


ACTS = ["Reframe mission", "Lower priority", "Use different objective", "Snooze"]
ROW = ["Copy", "Regenerate", "Export"]
REPLIES = {
    "sign-offers": answers(BRIEF + ACTIONS, ACTS, ["Ask", "Send"]),
    "sign-offers-row": answers(f"{BRIEF}<div class=row>{ACTIONS}</div>", ACTS, []),
    "sign-offers-between": answers(f"<p>It can wait.</p><div>{ACTIONS}</div>{BRIEF}", ACTS, [], "{}"),
    "sign-offers-one": answers(f"<div>{BRIEF}</div><div><div><button>Snooze</button></div><div>{TOOLS}</div></div>", ["Snooze"], ROW),
    "sign-offers-tools-after": answers(BRIEF + ACTIONS, ACTS, ROW, "<div class=turn><div class=bubble>{}</div><div>" + TOOLS + "</div></div>"),
    "sign-offers-tools-before": answers(BRIEF + ACTIONS, ACTS, ROW, "<div class=turn><div>" + TOOLS + "</div><div class=bubble>{}</div></div>"),
    "sign-offers-tools-inside": answers(f"{BRIEF}<div>{ACTIONS}</div><div>{TOOLS}</div>", ACTS, ROW),
    "sign-offers-tools-wrapped": answers(f"{BRIEF}<div>{ACTIONS}</div><div>{TOOLS.replace('<button', '<span><button').replace('</button>', '</button></span>')}</div>", ACTS, ROW),
    "sign-offers-tools-behind": answers(BRIEF + ACTIONS, ACTS, ROW, "{}<div>" + TOOLS + "</div>"),
    "sign-offers-toolbar": answers(f"{BRIEF}{ACTIONS}<div role=toolbar><button>Translate</button></div>", ACTS, ["Translate"]),
    "sign-offers-icons": answers(f"{BRIEF}{ACTIONS}{ICONS}", ACTS, ["Copy", "Translate"]),
    "sign-offers-hover": answers(f"{BRIEF}{ACTIONS}<div style=opacity:0><button>Translate</button></div>", ACTS, ["Translate"]),
    "sign-offers-flat": answers("<p>There are 12 commits.</p><div><button>Show open issues</button></div>", [], ["Show open"], "{}"),
    "sign-offers-fields": answers(
        f"{BRIEF}<label>Priority <select><option>Urgent<option>Someday</select></label><input value='By Friday'><div role=menu><div role=menuitem>Hand over</div></div>"
        "<div><a href=#x style=display:block>Open the board</a></div><label><input type=checkbox>Tell the team</label>",
        ["Priority", "[Urgent]", "[Someday]", "[By Friday]", "[Hand over]", "Open the board", "Tell the team"],
        [],
    ),
    "sign-offers-code": answers(f"<p>It can wait.</p><button>Copy</button>{BRIEF}<pre><button>Run</button><code>git log</code></pre>{ACTIONS}", ACTS, ["Copy", "Run"]),
    "sign-offers-details": answers(f"<details><summary>Thought for 5 seconds</summary><p>Hm.</p></details>{BRIEF}{ACTIONS}", ACTS, ["Thought"]),
}
REPLIES["sign-offers-pressed"] = (
    page("const put = t => { const row = make('div', ''); row.append(Object.assign(make('div', t), { role: 'button', tabIndex: 0 })); log.append(row) }; onEnter(q => { put(q); later(() => put(ANSWER)) })"),
    [],
    ["[There"],
)
for kind, (html, offers, around) in REPLIES.items():
    PAGES[kind], OFFERS[kind], AROUND[kind] = html, offers, around

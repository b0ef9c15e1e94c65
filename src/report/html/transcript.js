// Shows one answer with its verdict. An editor sends the data again when the answer is judged again.
let shown = data;

function draw() {
  document.title = `${shown.case}: ${shown.status}`;
  byId('head').replaceChildren(...head());
  byId('judged').replaceChildren(...judged());
  byId('said').replaceChildren(...said());
}

function head() {
  return [
    element('h1', {}, `${shown.case} `, element('span', { className: `status ${shown.status}`, textContent: shown.status })),
    actions(),
    element('p', {}, ...styled(shown.headline)),
    element('p', { className: 'quiet', textContent: shown.about.join(' · ') }),
  ].filter(Boolean);
}

// What only an editor can open.
function actions() {
  if (!editor) return null;
  const button = (textContent, message) => element('button', { type: 'button', className: 'open', textContent, onclick: () => editor.postMessage(message) });
  return element('span', { className: 'actions' },
    button('Open in the suite', { open: 'case' }),
    button('Open JSON', { open: 'json' }),
    shown.replaces ? button('Compare with the stored answer', { open: 'compare' }) : '',
    shown.acceptable ? button('Accept', { open: 'accept' }) : '');
}

function judged() {
  const parts = [];
  if (shown.reason !== null) parts.push(...section('Reason', text(shown.reason)));
  if (shown.checks.length > 0) parts.push(...section('Checks', checks()));
  if (shown.terms.length > 0) parts.push(...section('Score', score(shown)));
  return parts;
}

function said() {
  const parts = [];
  const prompt = (value) => element('pre', { className: 'text prompt', textContent: value });
  for (const setup of shown.setup_prompts) parts.push(...section('Setup prompt', prompt(setup)));
  if (shown.prompt !== null) parts.push(...section('Prompt', prompt(shown.prompt)));
  if (shown.lines !== null) parts.push(...section('Answer', lines()));
  if (shown.cut > 0) parts.push(element('p', { className: 'quiet', textContent: `${shown.cut} more bytes are not shown.` }));
  if (shown.telemetry.length > 0) parts.push(...section('Telemetry', events()));
  if (shown.cut_events > 0) parts.push(element('p', { className: 'quiet', textContent: `${shown.cut_events} more events are not shown.` }));
  return parts;
}

function checks() {
  const list = element('ul', { className: 'checks' });
  shown.checks.forEach((check, at) => {
    const button = element('button', { type: 'button', onclick: () => choose([at], '#said'), attributes: { 'data-check': at } },
      element('span', { className: check.outcome === 'passed' ? 'PASS' : 'FAIL', textContent: `${SIGNS[check.outcome] ?? '?'} ` }),
      element('code', { className: 'name', textContent: checkName(check.id), title: check.id }), ' ', ...styled(check.message));
    const line = editor === null ? null : element('button', {
      type: 'button', className: 'line', textContent: 'suite', title: 'Open the expectation in the suite', onclick: () => editor.postMessage({ open: 'check', check: at }),
    });
    list.append(element('li', {}, button, line));
  });
  return list;
}

// How a text that checks refer to looks: a check that failed comes before one that passed.
function look(marks) {
  if (marks.some(({ check, nearest }) => !nearest && shown.checks[check].outcome !== 'passed')) return 'failed';
  return marks.some(({ nearest }) => !nearest) ? 'passed' : 'nearest';
}

function ids(marks) {
  return [...new Set(marks.map(({ check }) => shown.checks[check].id))].join(', ');
}

// A text that a click or the keyboard leads from to its checks.
function linked(made, marks) {
  const numbers = marks.map(({ check }) => check);
  Object.assign(made, { title: ids(marks), tabIndex: 0, onclick: () => choose(numbers, '#judged') });
  made.onkeydown = (event) => {
    if (event.key !== 'Enter' && event.key !== ' ') return;
    event.preventDefault();
    choose(numbers, '#judged');
  };
  made.setAttribute('role', 'button');
  made.dataset.checks = ` ${numbers.join(' ')} `;
  return made;
}

function remember() {
  editor?.setState({ uri: shown.uri, case: shown.case });
}

function marked(words, marks) {
  return marks.length === 0 ? words : linked(element('mark', { className: look(marks), textContent: words }), marks);
}

function lines() {
  const list = element('ol', { className: 'lines' });
  let fenced = false;
  shown.lines.forEach((parts, index) => {
    const content = parts.map((part) => part.text).join('');
    const fence = /^\s*(```|~~~)/.test(content);
    const kind = fence || fenced ? 'code' : kindOf(content);
    if (fence) fenced = !fenced;
    const made = element('span', { className: kind });
    for (const { text: words, marks = [] } of parts) made.append(marked(words, marks));
    list.append(element('li', {}, element('span', { className: 'number', textContent: index + 1, attributes: { 'aria-hidden': 'true' } }), made));
  });
  return list;
}

// The kind of a line of Markdown. Its signs stay, because checks read them.
function kindOf(content) {
  if (/^ {0,3}#{1,6}\s/.test(content)) return 'heading';
  if (/^\s*([-*+]|\d{1,9}[.)])\s/.test(content)) return 'item';
  if (/^\s*>/.test(content)) return 'quote';
  if (/^\s*\|.*\|\s*$/.test(content)) return 'code';
  return /^\s*([-*_])(\s*\1){2,}\s*$/.test(content) ? 'rule' : '';
}

function events() {
  return element('ol', { className: 'events' }, ...shown.telemetry.map((event, index) => {
    const at = event.at === null ? String(index + 1) : `+${(event.at / 1000).toFixed(2)} s`;
    const made = element('li', { className: event.marks.length === 0 ? '' : `marked ${look(event.marks)}` },
      element('span', { className: 'at', textContent: at }),
      element('span', {}, element('b', { textContent: event.name }), event.level === null ? null : ` ${event.level}`, ' ', element('code', { textContent: event.rest })));
    return event.marks.length === 0 ? made : linked(made, event.marks);
  }));
}

// Marks checks and the places that they refer to, and shows the first of them in a part of the page.
function choose(numbers, part) {
  document.querySelectorAll('.chosen').forEach((old) => old.classList.remove('chosen'));
  for (const at of numbers) {
    document.querySelectorAll(`[data-check="${at}"], [data-checks*=" ${at} "]`).forEach((found) => found.classList.add('chosen'));
  }
  document.querySelector(`${part} .chosen`)?.scrollIntoView({ block: 'center' });
}

function start() {
  draw();
  remember();
  window.addEventListener('message', ({ data: message }) => {
    if (typeof message?.transcript !== 'string') return;
    shown = JSON.parse(message.transcript);
    const { scrollX, scrollY } = window;
    draw();
    window.scrollTo(scrollX, scrollY);
    remember();
  });
  // An editor answers with the data as it is now.
  editor?.postMessage({ open: 'data' });
}

start();

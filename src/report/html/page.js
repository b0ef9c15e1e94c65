// Shows the cases of a run.
const ROW = 44;
const state = { shown: data.cases, at: 0, statuses: new Set(), printing: false };

function word(entry) {
  return entry.flaky ? 'FLAKY' : entry.status;
}

// The list has elements for the visible rows only.
function drawRows() {
  const list = byId('list');
  const rows = byId('rows');
  rows.style.height = `${state.shown.length * ROW}px`;
  const first = state.printing ? 0 : Math.max(0, Math.floor(list.scrollTop / ROW) - 10);
  const last = state.printing ? state.shown.length : Math.ceil((list.scrollTop + list.clientHeight) / ROW) + 10;
  rows.replaceChildren(...state.shown.slice(first, last).map((entry, offset) => row(entry, first + offset)));
  const active = byId(`row-${state.at}`);
  if (active) list.setAttribute('aria-activedescendant', active.id);
  else list.removeAttribute('aria-activedescendant');
}

function row(entry, at) {
  const made = element('div', {
    className: 'row', id: `row-${at}`, onclick: () => choose(at, true),
    attributes: { role: 'option', 'aria-selected': String(at === state.at), 'aria-posinset': at + 1, 'aria-setsize': state.shown.length },
  },
  element('b', { textContent: entry.case || '(no id)' }),
  element('span', { className: `status ${word(entry)}`, textContent: word(entry) }),
  element('span', { className: 'quiet', textContent: entry.change && entry.change !== 'unchanged' ? ` ${entry.change}` : '' }),
  element('span', { className: 'about', textContent: entry.headline }));
  made.style.top = `${at * ROW}px`;
  return made;
}

function choose(at, focus) {
  if (state.shown.length === 0) {
    byId('detail').replaceChildren(element('p', { textContent: 'No case matches the filters.' }));
    return;
  }
  state.at = Math.min(Math.max(at, 0), state.shown.length - 1);
  const list = byId('list');
  const top = state.at * ROW;
  if (top < list.scrollTop) list.scrollTop = top;
  if (top + ROW > list.scrollTop + list.clientHeight) list.scrollTop = top + ROW - list.clientHeight;
  drawRows();
  if (focus) list.focus();
  byId('detail').replaceChildren(...detail(state.shown[state.at]));
  byId('detail').scrollTop = 0;
  remember();
}

function remember() {
  editor?.setState({ run: data.run, at: state.at, statuses: [...state.statuses], search: byId('search').value, category: byId('category').value });
}

function recall() {
  const kept = editor?.getState();
  if (kept?.run !== data.run) return null;
  byId('search').value = kept.search;
  byId('category').value = kept.category;
  state.statuses = new Set(kept.statuses);
  return kept.at;
}

function detail(entry) {
  const parts = [
    element('h2', {}, `${entry.case || '(no id)'} `, element('span', { className: `status ${word(entry)}`, textContent: word(entry) })),
    element('p', {}, ...styled(entry.headline)),
    element('p', { className: 'quiet', textContent: [entry.suite, entry.category, entry.took, entry.change, ...entry.edits.map((edit) => `edited: ${edit}`)].filter(Boolean).join(' · ') }, place(entry)),
  ];
  if (entry.reason) parts.push(...section('Reason', text(entry.reason)));
  for (const setup of entry.setup_prompts) parts.push(...section('Setup prompt', text(setup)));
  parts.push(...section('Prompt', text(entry.prompt)));
  const answer = entry.response === null ? null : lines(entry);
  if (entry.checks.length > 0) parts.push(...section('Checks', checks(entry, answer)));
  if (entry.terms.length > 0) parts.push(...section('Score', score(entry)));
  if (answer) parts.push(...section(entry.attempts.length > 1 ? 'Answer that decides' : 'Answer', answer));
  if (entry.attempts.length > 1) parts.push(...section('Attempts', element('div', {}, ...entry.attempts.map(attempt))));
  if (entry.diff.length > 0) parts.push(...section(`Changes since the last answer that passed (${entry.diff_since})`, diff(entry.diff)));
  if (entry.picture) parts.push(...section('Screenshot', element('img', { src: entry.picture, alt: `The app after the case ${entry.case}` })));
  else if (entry.picture_path) parts.push(...section('Screenshot', text(entry.picture_path)));
  if (entry.telemetry.length > 0) parts.push(...section('Telemetry', text(entry.telemetry.map((event, at) => `${at + 1}  ${event}`).join('\n'))));
  return parts.filter(Boolean);
}

// One of several attempts. Those that did not pass are open.
function attempt({ status, said }, at) {
  const head = element('summary', {}, element('span', { className: `status ${status}`, textContent: status }), ` attempt ${at + 1}`);
  return element('details', { open: status !== 'PASS' }, head, text(said));
}

// The place of a case in its suite, which only an editor can open.
function place(entry) {
  if (!editor) return null;
  const button = element('button', { type: 'button', className: 'open', textContent: 'Open in the suite' });
  button.onclick = () => editor.postMessage({ suite: entry.suite, case: entry.case });
  return button;
}

// On paper, the details of all shown cases that did not pass follow the list.
function print() {
  state.printing = true;
  drawRows();
  const open = state.shown.filter((entry) => word(entry) !== 'PASS');
  const printed = open.length > 0 ? open : state.shown.slice(state.at, state.at + 1);
  byId('detail').replaceChildren(...printed.map((entry) => element('section', { className: 'printed' }, ...detail(entry))));
}

// A click on a check shows its lines; a click on a line shows its checks.
function checks(entry, answer) {
  const list = element('ul', { className: 'checks' });
  entry.checks.forEach((check, at) => {
    const button = element('button', { type: 'button', attributes: { 'data-check': at } },
      element('span', { className: check.outcome === 'passed' ? 'PASS' : 'FAIL', textContent: `${SIGNS[check.outcome] ?? '?'} ` }),
      element('code', { className: 'name', textContent: checkName(check.id), title: check.id }), ' ', ...styled(check.message));
    button.onclick = () => mark(list, answer, [at], new Set(check.evidence.map((evidence) => evidence.line)), true);
    list.append(element('li', {}, button));
  });
  if (answer) answer.checks = list;
  return list;
}

function mark(list, answer, chosen, numbers, scroll) {
  for (const button of list.querySelectorAll('button')) button.classList.toggle('chosen', chosen.includes(Number(button.dataset.check)));
  if (!answer) return;
  for (const line of answer.children) line.classList.toggle('chosen', numbers.has(Number(line.dataset.line)));
  const first = scroll ? answer.querySelector('.chosen') : list.querySelector('.chosen');
  first?.scrollIntoView({ block: 'center' });
}

function lines(entry) {
  const list = element('ol', { className: 'lines' });
  entry.response.split('\n').forEach((content, index) => {
    const number = index + 1;
    const found = entry.checks.flatMap((check, at) => check.evidence.filter((evidence) => evidence.line === number).map((evidence) => ({ at, evidence, check })));
    const item = element('li', { attributes: { 'data-line': number } }, element('span', { className: 'number', textContent: number }));
    if (found.length === 0) {
      item.append(element('span', { className: 'plain', textContent: content }));
    } else {
      const ids = [...new Set(found.map(({ check }) => check.id))].join(', ');
      const button = element('button', { type: 'button', title: ids, className: found.some(({ check }) => check.outcome === 'failed') ? 'failed' : '' }, ...marked(content, found.map(({ evidence }) => evidence)));
      button.onclick = () => mark(list.checks, list, found.map(({ at }) => at), new Set([number]), false);
      item.append(button);
    }
    list.append(item);
  });
  return list;
}

// The line with its evidence marked. Evidence that is shortened, or that overlaps other evidence, marks what it can.
function marked(content, evidence) {
  const spans = evidence.map(({ text: part }) => {
    const needle = part.split('\n')[0].replace(/…$/, '');
    const start = needle ? content.indexOf(needle) : -1;
    return start < 0 ? { start: 0, end: content.length } : { start, end: start + needle.length };
  }).sort((one, other) => one.start - other.start);
  const parts = [];
  let at = 0;
  for (const { start, end } of spans) {
    if (start < at) continue;
    parts.push(content.slice(at, start), element('mark', { textContent: content.slice(start, end) }));
    at = end;
  }
  return [...parts, content.slice(at)];
}

function diff(entries) {
  const box = element('div', { className: 'diff' });
  for (const [sign, content] of entries) {
    const name = sign === '+' ? 'plus' : sign === '-' ? 'minus' : '';
    box.append(element('div', { className: name, textContent: content || ' ', attributes: { 'data-sign': sign } }));
  }
  return box;
}

function filter(at) {
  const wanted = byId('search').value.toLowerCase();
  const category = byId('category').value;
  state.shown = data.cases.filter((entry) => (state.statuses.size === 0 || state.statuses.has(word(entry)))
    && (category === '' || entry.category === category)
    && (wanted === '' || [entry.case, entry.prompt, entry.response ?? '', entry.headline].some((part) => part.toLowerCase().includes(wanted))));
  byId('shown').textContent = `${state.shown.length} of ${data.cases.length} cases`;
  byId('list').scrollTop = 0;
  state.at = at;
  drawRows();
  choose(at, false);
}

function start() {
  byId('verdict').textContent = data.verdict;
  byId('verdict').className = data.passed ? (data.note ? '' : 'PASS') : 'FAIL';
  byId('note').textContent = data.note;
  byId('sentence').textContent = data.sentence;
  byId('run').textContent = data.run;
  document.title = `${data.verdict} – eval report`;
  byId('category').append(element('option', { value: '', textContent: 'all categories' }),
    ...[...new Set(data.cases.map((entry) => entry.category))].sort().map((name) => element('option', { value: name, textContent: name })));
  for (const status of ['FAIL', 'ERROR', 'FLAKY', 'PARTIAL', 'PASS']) {
    const count = data.cases.filter((entry) => word(entry) === status).length;
    if (count === 0) continue;
    const button = element('button', { type: 'button', attributes: { 'aria-pressed': 'false' } }, `${status} ${count}`);
    button.onclick = () => {
      if (!state.statuses.delete(status)) state.statuses.add(status);
      button.setAttribute('aria-pressed', String(state.statuses.has(status)));
      filter(0);
    };
    byId('statuses').append(button);
  }
  const at = recall();
  for (const button of byId('statuses').children) button.setAttribute('aria-pressed', String(state.statuses.has(button.textContent.split(' ')[0])));
  byId('search').oninput = () => filter(0);
  byId('category').onchange = () => filter(0);
  byId('list').onscroll = drawRows;
  window.onresize = drawRows;
  window.onbeforeprint = print;
  window.onafterprint = () => { state.printing = false; choose(state.at, false); };
  const steps = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1, PageDown: 10, PageUp: -10, Home: -Infinity, End: Infinity };
  document.onkeydown = (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const isTyping = ['INPUT', 'SELECT'].includes(event.target.tagName);
    if (event.key === 'Escape' && isTyping) {
      byId('search').value = '';
      filter(0);
      byId('list').focus();
    } else if (event.key === '/' && !isTyping) {
      event.preventDefault();
      byId('search').focus();
    } else if (event.key in steps && !isTyping && (event.target === byId('list') || ['j', 'k'].includes(event.key))) {
      event.preventDefault();
      choose(state.at + steps[event.key], true);
    } else if (event.key === 'Enter' && event.target === byId('list')) {
      byId('detail').focus();
    }
  };
  filter(at ?? 0);
}

start();

'use strict';
// What the pages share. All text is set as text, never as HTML.
const data = JSON.parse(document.getElementById('data').textContent);
const SIGNS = { passed: '✓', failed: '✗', unknown: '?', not_judged: '!' };
const byId = (id) => document.getElementById(id);
// In a webview of VS Code, the editor keeps the state of the page while it is hidden, and opens places.
const editor = typeof acquireVsCodeApi === 'function' ? acquireVsCodeApi() : null;

function element(tag, properties = {}, ...children) {
  const { attributes = {}, ...rest } = properties;
  const made = Object.assign(document.createElement(tag), rest);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children.filter((child) => child !== null && child !== undefined));
  return made;
}

// A message, with its parts in backticks as code.
function styled(message) {
  // A run of backticks ends at the next run of the same length in the line. A reference in the pattern would make it cubic.
  const runs = [...message.matchAll(/`+|\n/g)];
  const next = new Map();
  const closing = runs.map(() => undefined);
  for (let index = runs.length - 1; index >= 0; index--) {
    const [run] = runs[index];
    if (run === '\n') next.clear();
    closing[index] = next.get(run.length);
    if (run !== '\n') next.set(run.length, index);
  }
  const parts = [];
  let at = 0;
  for (let index = 0; index < runs.length; index++) {
    const end = runs[closing[index]];
    if (end === undefined) continue;
    const start = runs[index].index;
    const code = message.slice(start + end[0].length, end.index);
    parts.push(message.slice(at, start), element('code', { textContent: code.trim() }));
    at = end.index + end[0].length;
    index = closing[index];
  }
  return [...parts, message.slice(at)];
}

// The name of a check without the value that its message repeats.
function checkName(id) {
  const [first, second] = id.split(':');
  if (first === 'outcome') return id;
  return ['format', 'synthesis', 'morning_brief'].includes(first) ? second : first;
}

function section(title, content) {
  return [element('h3', { textContent: title }), content];
}

function text(value) {
  return element('pre', { className: 'text', textContent: value });
}

// A number with at most four decimals.
function short(value) {
  return Number(value.toFixed(4));
}

function score(entry) {
  const table = element('table');
  for (const term of entry.terms) {
    const meter = !term.has_checks ? element('span', { className: 'quiet', textContent: 'no checks' }) : element('meter', { min: 0, max: Math.max(term.weight, 0.000001), value: term.product, attributes: { 'aria-label': `${term.group}: ${short(term.product)} of ${term.weight}` } });
    table.append(element('tr', {}, element('th', { textContent: term.group, scope: 'row' }), element('td', {}, meter),
      element('td', { textContent: `${term.weight} × ${short(term.score)} = ${short(term.product)}` })));
  }
  const total = `soft score ${entry.soft_score}` + (entry.threshold === null ? '' : `, required ${entry.threshold}`);
  return element('div', {}, table, element('p', { textContent: total }));
}

// What a turn does to the page: `mark` before the prompt is sent, `look` after it.

const KEY = Symbol.for("eval-ls.turn");

function settingsOf(options) {
  const { ignoreSelector } = options;
  const ignored = element => !!ignoreSelector && [...ancestors(element)].some(one => one.matches?.(ignoreSelector));
  return { ...options, ignored };
}

const allLines = settings => linesOf(document.documentElement).filter(line => !settings.ignored(line.element));
const countsOf = texts => {
  const counts = new Map();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return counts;
};

/** Remembers the page with the prompt typed. `baseline` is that of a page that was lost since. */
function mark(options, baseline) {
  const settings = settingsOf(options);
  const lines = baseline ? [] : allLines(settings);
  const known = new WeakMap();
  const nodes = new WeakSet();
  for (const { element, text, node } of lines) {
    known.set(element, [...(known.get(element) ?? []), text]);
    nodes.add(node);
  }
  const signs = baseline ? new Map(baseline.signs) : signsOf(document.documentElement, settings);
  const texts = baseline?.lines ?? lines.map(line => line.text);
  const active = activeElement();
  const input = holderOf(options.prompt, active) ?? (baseline ? null : active);
  const completed = new Map();
  const ended = baseline ? null : endedOf(globalThis[KEY]);
  const idle = baseline?.idle ?? globalThis[IDLE]?.get(input) ?? "";
  globalThis[KEY]?.observers.forEach(observer => observer.disconnect());
  const observers = windows().map(({ PerformanceObserver }) => {
    const observer = new PerformanceObserver(list => list.getEntries().forEach(one => completed.set(one.name, (completed.get(one.name) ?? 0) + 1)));
    observer.observe({ type: "resource" });
    return observer;
  });
  const state = { known, nodes, counts: countsOf(texts), signs, input, idle, typed: input && valueOf(input), completed, observers, ticks: new WeakMap(), rewritten: new WeakMap() };
  Object.defineProperty(globalThis, KEY, { value: state, configurable: true, enumerable: false });
  return {
    holds: !!holderOf(options.prompt, input),
    value: input ? valueOf(input).slice(0, 200) : "",
    baseline: { lines: texts, signs: [...signs], idle },
    loaded: performance.timeOrigin,
    ended,
  };
}

/** How many entries the page's own record of requests has room for. */
const RECORDED = 250;

/** The requests that ended, by address: since the page was marked, else since it was loaded. Null if some are not known. */
function endedOf(state) {
  if (state) return [...state.completed];
  const entries = windows().map(({ performance }) => performance.getEntriesByType("resource"));
  return entries.some(list => list.length >= RECORDED) ? null : [...countsOf(entries.flat().map(one => one.name))];
}

/** This window and those of its frames that can be read. */
function windows() {
  const frames = [...elements(document.documentElement)].filter(one => one.localName === "iframe");
  return [globalThis, ...frames.flatMap(frame => { try { return frame.contentDocument ? [frame.contentWindow] : [] } catch { return [] } })];
}

function look(options) {
  const state = globalThis[KEY];
  if (!state) return { lost: true };
  const settings = settingsOf(options);
  const holder = holderOf(options.prompt, state.input);
  const input = holder ?? (state.input?.isConnected ? state.input : onlyField());
  const lines = allLines(settings);
  const fresh = newLines(lines, state);
  const echoes = echoesOf(fresh, options.prompt);
  const echoed = new Set(echoes.flatMap(({ from, to }) => fresh.slice(from, to + 1)));
  const echo = bestEcho(echoes.map(({ from }) => fresh[from].element), input);
  const region = options.settleSelector ? null : regionOf(echo, input, state, fresh);
  const inside = line => options.settleSelector
    ? [...ancestors(line.element)].some(one => one.matches?.(options.settleSelector))
    : region ? region(line.element) : !isApart(line.element, input);
  const pressed = echo && controlOf(echo);
  const answers = [], beside = [], watched = [];
  for (const line of fresh) {
    const near = inside(line);
    const ticking = tick(line, state);
    const isEcho = echoed.has(line);
    const found = controlOf(line.element);
    const control = !!found && !isMessageControl(found, pressed, input);
    const isNotice = !options.settleSelector && (hasNoticeRole(line.element, input, echo) || isOverlay(line.element, input, echo));
    line.isWork = !isEcho && isBusy(line.text, { isControl: control, isNear: near || isNotice });
    if (ticking === "turning" && line.wasThere) continue;
    if (near && !isNotice) watched.push(ticking ? digitless(line.text) : withoutTimes(line.text));
    const isAside = isNotice || isNotSent(line.text);
    const isLabelling = isLabel(line.text) || isReceipt(line, echo) || PRESENCE.test(line.text);
    if (isEcho || control || isAside || line.isWork || line.isCounter || isLabelling || isBareName(line, lines, state, echoed)) {
      if (isAside && !line.isWork && !isEcho && !isLabelling) beside.push(line.text);
      continue;
    }
    (near && !isPastInput(line.element, echo, input) ? answers : beside).push(line);
  }
  const placed = options.settleSelector || !echo ? answers : answers.filter(line => isBelow(line.element, echo, input));
  const far = beside.filter(line => typeof line !== "string" && !isApart(line.element, input));
  const isCertain = placed.length > 0 && (!!options.settleSelector || !!echo);
  const reply = isCertain ? placed : plausible(placed.length ? placed : far, echo);
  for (const line of fresh) line.isWork &&= !isPastStep(line, reply, state);
  const offers = reply.length ? offersIn(reply, echo, input) : [];
  watched.push(...offers.map(line => withoutTimes(line.text)));
  if (!placed.length) watched.push(...far.map(line => withoutTimes(line.text)));
  const message = echoes.some(({ from, how }) => how === "exact" && isInConversation(fresh[from].element, input))
    && !fresh.some(line => isRefusal(line.text));
  const composer = input ? composerOf(input) : "no field";
  const busy = busyOf(lines, fresh, settings, state, input);
  return {
    holds: !holder ? "no" : valueOf(holder) === state.typed ? "prompt" : "changed",
    enabled: !input || isEnabled(input),
    echoed: echoes.length > 0,
    message,
    occupied: !holder && !!state.idle && composer !== state.idle,
    composer,
    reply: reply.map(line => line.text),
    markdown: markdownOf(withOffers(reply, offers)),
    certain: isCertain,
    open: reply.length > 0 && isOpen(reply.at(-1)),
    announcement: reply.length > 0 && isAnnouncement(reply.at(-1).text),
    watched: digest(watched.join("\n")),
    busy,
    beside: [...beside.map(line => line.text ?? line)].slice(0, 1)[0]?.slice(0, 160) ?? null,
    completed: [...state.completed],
  };
}

/** The field of a page that has one. */
function onlyField() {
  const found = fields();
  return found.length === 1 ? found[0] : null;
}

/** Whether an element shows a message of the conversation. */
const isInConversation = (element, input) => !isControl(element) && !hasNoticeRole(element, input) && !isApart(element, input)
  && !isSuggestion(element, input);

/** The lines that were not on the page when it was marked, wherever a page has drawn its old lines again. */
function newLines(lines, state) {
  const now = countsOf(lines.map(line => line.text));
  const left = new Map([...now].map(([text, count]) => [text, count - (state.counts.get(text) ?? 0)]));
  const present = new Map();
  for (const line of lines) present.set(line.element, (present.get(line.element) ?? new Set()).add(line.text));
  const fresh = [];
  for (const line of [...lines].reverse()) {
    // All lines of an output field have one element.
    const before = isOutput(line.element) ? null : state.known.get(line.element);
    if (before?.includes(line.text) && isRewritten(line, state)) {
      line.wasThere = true;
      fresh.unshift(line);
      continue;
    }
    if (before?.includes(line.text) || (left.get(line.text) ?? 0) <= 0) continue;
    left.set(line.text, left.get(line.text) - 1);
    const gone = before?.filter(text => !present.get(line.element).has(text)) ?? [];
    line.wasThere = gone.length > 0;
    line.isCounter = gone.some(text => digitless(text) === digitless(line.text));
    fresh.unshift(line);
  }
  return fresh;
}

/** Whether the page wrote the same text into the same place once since it was marked. Again and again is a clock. */
function isRewritten({ element, node }, state) {
  if (state.nodes.has(node)) return false;
  const writes = state.rewritten.get(element) ?? new Set();
  state.rewritten.set(element, writes.add(node));
  return writes.size === 1;
}

/** How a line changes by itself: `digits` if only its numbers do, `turning` if it becomes another text again and again. */
function tick({ element, text }, state) {
  const known = state.ticks.get(element);
  if (!known) {
    state.ticks.set(element, { text, digits: 0, turns: 0, since: performance.now() });
    return null;
  }
  if (known.text !== text) {
    if (digitless(known.text) === digitless(text)) known.digits++;
    else if (!text.startsWith(known.text.slice(0, 8))) known.turns++;
    known.text = text;
    known.since = performance.now();
  }
  return known.digits >= 2 ? "digits" : known.turns >= 2 ? "turning" : null;
}

/** For how many milliseconds a step must stay the same until it counts as done, if an answer follows it. */
const PAST = 20_000;

/** Whether a line names a step that is done: it has not changed for long, and an answer follows it. */
function isPastStep({ text, element }, reply, state) {
  const since = state.ticks.get(element)?.since ?? Infinity;
  return isBareDoing(text) && performance.now() - since > PAST
    && reply.some(line => element.compareDocumentPosition(line.element) & Node.DOCUMENT_POSITION_FOLLOWING);
}

function busyOf(lines, fresh, settings, state, input) {
  const busy = [];
  for (const text of settings.busy) {
    const shown = lines.find(line => line.text.includes(text.replace(/\s+/g, " ").trim()));
    if (text.trim() && shown) busy.push(`the page shows \`${text}\``);
  }
  for (const line of fresh) if (line.isWork) busy.push(`the page shows \`${line.text.slice(0, 80)}\``);
  for (const [sign, count] of signsOf(document.documentElement, settings)) {
    if (sign.startsWith("busy_selector") || count > (state.signs.get(sign) ?? 0)) busy.push(`the page shows ${sign.replace(/^busy_selector: /, "")}`);
  }
  if (input && !isEnabled(input)) busy.push("the chat input is disabled");
  if (input?.placeholder && isBusy(input.placeholder, {}) && !state.counts.has(input.placeholder)) busy.push(`the chat input shows \`${input.placeholder.slice(0, 80)}\``);
  if (document.readyState === "loading") busy.push("the page is loading");
  return busy;
}

function digest(text) {
  let [a, b] = [0xdeadbeef, 0x41c6ce57];
  for (let at = 0; at < text.length; at++) {
    a = Math.imul(a ^ text.charCodeAt(at), 2654435761);
    b = Math.imul(b ^ text.charCodeAt(at), 1597334677);
  }
  return `${text.length}.${(a >>> 0).toString(36)}${(b >>> 0).toString(36)}`;
}

// The chat input and the button beside it.

// Other elements may have a `value` that agent-browser's `fill` gave them.
const valueOf = element => /^(input|textarea)$/.test(element.localName) ? element.value : element.innerText ?? "";
const compact = text => wordsOf(text).join("") || text.replace(/\s+/g, "");

function activeElement() {
  let at = document.activeElement;
  for (let inner = at; inner; at = inner) {
    try { inner = at.shadowRoot?.activeElement ?? (at.localName === "iframe" ? at.contentDocument?.activeElement : null) } catch { inner = null }
    if (!inner) break;
  }
  return at;
}

/** The shown field that holds the prompt; `preferred` if it does. */
function holderOf(prompt, preferred) {
  const wanted = compact(prompt);
  const holds = element => compact(valueOf(element)).includes(wanted);
  if (preferred?.isConnected && isEditable(preferred) && holds(preferred)) return preferred;
  for (const element of elements(document.documentElement)) {
    if (isEditable(element) && !isOutput(element) && isShown(element) && holds(element)) return element;
  }
  return null;
}

const isEnabled = element => !element.disabled && !element.readOnly && element.getAttribute("aria-disabled") !== "true"
  && (element.localName === "input" || element.localName === "textarea" || element.isContentEditable)
  && !element.closest("fieldset[disabled], [inert]");

/** The buttons near the input, each with how far away it is. */
function buttonsNear(input) {
  const near = [];
  let depth = 0;
  for (const at of ancestors(input)) {
    if (at === input) continue;
    const found = [...elements(at)].filter(one => isButton(one) && isShown(one) && !isStop(one));
    for (const button of found) if (!near.some(one => one.button === button)) near.push({ button, depth });
    if (near.length > 12 || ++depth > 8 || /^(body|html)$/.test(at.localName)) break;
  }
  return near;
}

/** What the send button of a field looks like, enabled or not; empty if the field has none. */
function composerOf(input) {
  const scored = buttonsNear(input).map(one => ({ ...one, score: scoreOf(one.button, input) - one.depth })).filter(one => one.score > 0);
  const best = scored.sort((a, b) => b.score - a.score)[0]?.button;
  if (!best) return "";
  const shapes = [...best.querySelectorAll("path, polygon, polyline, line, rect, circle, use")];
  const drawn = shapes.map(one => ["d", "points", "href", "width", "r"].map(name => one.getAttribute(name) ?? "").join(",")).join(";");
  return `${nameOf(best)}|${isOff(best) ? "off" : "on"}|${digest(drawn)}`;
}

const IDLE = Symbol.for("eval-ls.idle");

/** Remembers what the send button of each field looks like while nothing is typed. */
function rememberIdle() {
  const idle = new WeakMap();
  for (const field of fields()) idle.set(field, composerOf(field));
  Object.defineProperty(globalThis, IDLE, { value: idle, configurable: true, enumerable: false });
  return true;
}

/** The shown fields of the page. */
const fields = () => [...elements(document.documentElement)].filter(one => isEditable(one) && isShown(one));

/** Selects the text in the field that holds the prompt. */
function selectInput(options) {
  const input = holderOf(options.prompt, globalThis[KEY]?.input);
  if (!input) return false;
  input.focus();
  if (input.select) input.select();
  else input.ownerDocument.getSelection().selectAllChildren(input);
  return true;
}

/** The one enabled button near the input whose name or shape is that of a send button. */
function sendButton(input) {
  const near = buttonsNear(input);
  const scored = near.map(one => ({ ...one, score: scoreOf(one.button, input) - one.depth })).filter(one => one.score > 0 && !isOff(one.button));
  scored.sort((a, b) => b.score - a.score);
  const names = near.map(one => nameOf(one.button) || named(one.button)).slice(0, 8);
  const [best, next] = scored;
  const enabled = near.filter(one => !isOff(one.button) && one.depth === near[0].depth);
  // The only button beside the input, without a name, can hardly be for anything else.
  const sole = enabled.length === 1 && !wordsOf(nameOf(enabled[0].button)).length ? enabled[0] : null;
  const chosen = best && (!next || next.score < best.score) ? best : best ? null : sole;
  if (!chosen) return { names };
  const { button } = chosen;
  button.scrollIntoView({ block: "nearest" });
  const { x, y, hit } = centre(button);
  if (!hit) button.click();
  return { name: nameOf(button) || named(button), clicked: !hit, x, y, names };
}

const isOff = button => button.disabled || button.getAttribute("aria-disabled") === "true";

function scoreOf(button, input) {
  const words = wordsOf(nameOf(button));
  const tokens = tokensOf(button).flatMap(partsOf);
  const isSubmit = button.type === "submit" && button.form && button.form === input.form && button.hasAttribute("type");
  if (/^(new|clear|reset|attach|upload|add|mic|voice|record|search|settings|menu|close|delete|copy|edit|share|help|log|sign)$/.test(words[0] ?? "")) return 0;
  if (words[0] === "send") return 40 - words.length;
  if (["submit", "ask", "go", "reply", "post", "enter", "generate", "run", "chat"].includes(words[0])) return 30 - words.length;
  if (/^[➤→↑➜▶✈⏎↵➔➢➣🡒⬆🚀📤>»]+\uFE0F?$/u.test(nameOf(button))) return 30;
  if (words.length) return isSubmit ? 15 : 0;
  if (tokens.some(token => /^(send|submit)$/.test(token)) || button.querySelector("[class*=send i], [data-icon*=send i], [class*=arrow-up i], [class*=paper i]")) return 30;
  return isSubmit ? 25 : 0;
}

/** The middle of a button in the window, and whether a click there reaches it. */
function centre(button) {
  const box = button.getBoundingClientRect();
  let [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  let at = button.getRootNode().elementFromPoint?.(x, y) ?? null;
  while (at?.shadowRoot && at !== button) {
    const inner = at.shadowRoot.elementFromPoint(x, y);
    if (!inner || inner === at) break;
    at = inner;
  }
  const hit = !!at && (contains(button, at) || contains(at, button) && at.localName === "label");
  for (let frame = button.ownerDocument.defaultView?.frameElement; frame; frame = frame.ownerDocument.defaultView?.frameElement) {
    const outer = frame.getBoundingClientRect();
    [x, y] = [x + outer.x + frame.clientLeft, y + outer.y + frame.clientTop];
  }
  return { x: Math.round(x), y: Math.round(y), hit };
}

function sendButtonOf(options) {
  const input = holderOf(options.prompt, globalThis[KEY]?.input);
  return input ? sendButton(input) : { names: [] };
}

// Where a line is: in the conversation or beside it, below the prompt or above, in a message or in a control.

/** The echo that belongs to the conversation: the one that is nearest to the input, then the last. */
function bestEcho(found, input) {
  const depth = element => {
    const up = [...ancestors(input)];
    return input ? -[...ancestors(element)].reduce((best, one) => Math.min(best, up.includes(one) ? up.indexOf(one) : Infinity), Infinity) : 0;
  };
  const apart = element => [...ancestors(element)].some(one => /^(nav|aside|header)$/.test(one.localName) || /^h1$/.test(one.localName));
  return [...found].map((element, index) => ({ element, index }))
    .sort((a, b) => apart(a.element) - apart(b.element) || depth(b.element) - depth(a.element) || b.index - a.index)[0]?.element ?? null;
}

/** Whether an element is in the same conversation as the echo: all around it that does not have the input in it. */
function regionOf(echo, input, state, fresh) {
  if (!echo) return null;
  const up = new Set(input ? ancestors(input) : []);
  let top = echo;
  for (const at of ancestors(echo)) {
    if (up.has(at) || at === document.body) break;
    top = at;
  }
  const outer = parentOf(top);
  // If the message itself is a neighbour of the input, so are the other messages.
  const texts = new Set(linesOf(top).map(line => line.text));
  const isMessage = fresh.some(line => line.element === top || contains(top, line.element))
    && [...texts].every(text => fresh.some(line => line.text === text && contains(top, line.element)));
  const messages = isMessage && !state.known.has(top) && outer ? outer : top;
  return element => contains(messages, element);
}

/** Below the echo, or anywhere if new messages come first. */
function isBelow(element, echo, input) {
  if (element === echo || contains(element, echo) || contains(echo, element)) return true;
  const [one, other] = [element.getBoundingClientRect(), echo.getBoundingClientRect()];
  const follows = !!(echo.compareDocumentPosition(element) & Node.DOCUMENT_POSITION_FOLLOWING);
  const isFirst = input && input.getBoundingClientRect().top <= other.top;
  return one.top >= other.top - 4 && (follows || one.top > other.top) || !!isFirst;
}

/** Whether it comes after the input, and the prompt's message before it. */
function isPastInput(element, echo, input) {
  const follows = (one, other) => (one.compareDocumentPosition(other) & (Node.DOCUMENT_POSITION_FOLLOWING | Node.DOCUMENT_POSITION_DISCONNECTED))
    === Node.DOCUMENT_POSITION_FOLLOWING;
  return !!echo && !!input && follows(echo, input) && follows(input, element);
}

const CONTROL = "button, [role=button], [role=tab], [role=menuitem], [role=option], [role=tooltip], [role=switch], label, select, summary, nav, a";

/** The control that an element is in; null if it is in none. */
function controlOf(element) {
  for (const at of ancestors(element)) {
    if (at.matches?.(CONTROL)) return at;
    if (at === document.body) break;
  }
  const outer = parentOf(element);
  const isPressed = getComputedStyle(element).cursor === "pointer" && !!outer && getComputedStyle(outer).cursor !== "pointer" && !/^(p|li|td|pre|article|section)$/.test(element.localName);
  return isPressed ? element : null;
}

const isControl = element => !!controlOf(element);

/** Whether messages of this conversation can be pressed, and the control looks like one: the message with the prompt can. */
function isMessageControl(control, message, input) {
  return !!message && control.localName === message.localName && control.getAttribute("role") === message.getAttribute("role")
    && !isApart(message, input);
}

const NOTICE = "[role=alert], [role=status], [role=timer], [role=progressbar], [role=marquee], [role=tooltip], [role=alertdialog], "
  + "[aria-live=assertive], time, progress, dialog, [role=dialog], [popover], [class*=toast i], [class*=snackbar i], [class*=notification i]";

/** Whether it is in a notice. What is around the input or the prompt's message is not one. */
function hasNoticeRole(element, input, echo) {
  for (const at of ancestors(element)) {
    if (input && contains(at, input) || echo && contains(at, echo)) return false;
    if (at.matches?.(NOTICE)) return true;
  }
  return false;
}

/** Whether it floats over the page, apart from the conversation. */
function isOverlay(element, input, echo) {
  for (const at of ancestors(element)) {
    if (at === document.body) return false;
    if (getComputedStyle(at).position !== "fixed") continue;
    return !(input && contains(at, input)) && !(echo && contains(at, echo));
  }
  return false;
}

/** The name of who is going to speak: alone in its message, with an empty place for the text, or known from before. */
function isBareName(line, lines, state, echoed) {
  const { text, element } = line;
  const words = wordsOf(text);
  if (words.length > 3 || /[.!?:\d]$/.test(text) || ANSWERS.test(text)) return false;
  const { width, height } = element.getBoundingClientRect();
  if (text.length <= 2 && width <= 64 && Math.abs(width - height) < 12 && getComputedStyle(element).borderRadius !== "0px") return true;
  if (/avatar|author|sender|username|timestamp/i.test(tokensOf(element).join(" "))) return true;
  if (/^(h[1-6]|strong|b|header|figcaption)$/.test(element.localName) || !/^\p{Lu}/u.test(text)) return false;
  if (state.counts.has(text)) return !wasAnswer(text, lines, echoed);
  for (const at of ancestors(element)) {
    if (at === document.body || linesOf(at).filter(one => one.text.length > 2 && !isLabel(one.text)).length > 1) return false;
    if ([...elements(at)].some(one => one !== element && !one.childNodes.length && /^(p|div|span|pre|section|article)$/.test(one.localName)
      && !!(element.compareDocumentPosition(one) & Node.DOCUMENT_POSITION_FOLLOWING))) return true;
  }
  return false;
}

/** Whether the text is the whole of an earlier answer: the prompt comes right after it, with at most a name between. */
function wasAnswer(text, lines, echoed) {
  return lines.some((line, index) => line.text === text && !echoed.has(line)
    && (echoed.has(lines[index + 1]) || isLabel(lines[index + 1]?.text ?? "") && echoed.has(lines[index + 2])));
}

/** Whether the last line looks as if it goes on: it ends within a sentence. */
function isOpen({ text, element }) {
  if ([...ancestors(element)].some(one => /^(li|td|th|pre|code|h[1-6]|figcaption|dt|dd|button|a)$/.test(one.localName))) return false;
  return /[\p{L}\p{N},;(–-]$/u.test(text) && !ANSWERS.test(text);
}

const APART = "nav, aside, header, footer, [role=navigation], [role=complementary], [role=banner], [role=contentinfo], [role=search]";

const APART_CLASS = /sidebar|sidenav|topbar|navbar|statusbar|breadcrumb/;

/** Whether it is in a part of the page that is for other things, such as a sidebar, and the input is not in that part. */
function isApart(element, input) {
  for (const at of ancestors(element)) {
    const isOther = at.matches?.(APART) || tokensOf(at).some(token => APART_CLASS.test(partsOf(token).join("")));
    if (isOther && !(input && contains(at, input))) return true;
  }
  return false;
}

/** Lines beside the conversation of which an answer may consist: not the state of the page, and more than a title. */
function plausible(lines, echo) {
  const left = lines.filter(line => !isStatus(line.text));
  return echo && left.every(line => line.element.closest("h1, h2, h3, h4, h5, h6, [role=heading]")) ? [] : left;
}

/** Whether it says what became of the message with the prompt, and is a part of that message. */
function isReceipt({ text, element }, echo) {
  if (!echo || !RECEIPT.test(text)) return false;
  const isSmall = /^(small|time|footer|figcaption)$/.test(element.localName)
    || tokensOf(element).flatMap(partsOf).some(part => /^(status|state|receipt|meta|delivery|tick|ticks|timestamp|footer)$/.test(part));
  return element !== echo && contains(element, echo) || isSmall;
}

const POPUP = "[role=listbox], [role=option], [role=combobox], [role=menu], [role=grid], [role=search], datalist";
const SUGGESTS = /^(suggest|suggestion|suggestions|autocomplete|autosuggest|typeahead|completion|completions|hint|hints|dropdown|results)$/;

/** Whether an element is a suggestion for what is typed. */
function isSuggestion(element, input) {
  for (const at of ancestors(element)) {
    if (at === document.body || input && contains(at, input)) return false;
    if (at.matches?.(POPUP) || tokensOf(at).some(token => partsOf(token).some(part => SUGGESTS.test(part)))) return true;
  }
  return false;
}

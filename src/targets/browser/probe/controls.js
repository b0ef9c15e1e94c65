// The controls that belong to a reply: what its buttons, menus and fields offer. Controls around it are not part of it: copy, thumbs, regenerate.

const OFFERS = "button, [role=button], [role^=menuitem], [role=option], [role=tab], [role=switch], [role=checkbox], [role=radio], select, summary, label, "
  + "a[href], input, textarea";

// What a message has on each page.
const TOOL = new RegExp("^(copy|copied|copy (code|text|response|answer|reply|message|link|to clipboard)|like|dislike|thumbs? (up|down)|(good|bad) (response|answer|reply)"
  + "|(not |un)?helpful|regenerate( (response|answer|reply))?|retry|try again|share|read aloud|listen|feedback|(give|send|leave) feedback"
  + "|report( an? (problem|issue))?|report (message|response)|more|more (options|actions)|edit (message|response))$");

/** What stands on a control, each entry of a menu separately; empty if it is an icon, a password or something to fill in. */
function offersOf(control) {
  if (control.localName === "select") return [...control.options].map(option => option.text);
  if (control.localName === "textarea") return [control.value];
  if (control.localName === "input") return /^(checkbox|radio|password|hidden|file|image|color)$/.test(control.type) ? [] : [control.value];
  return [linesOf(control).map(line => line.text).join(" ")];
}

const nameOfTool = control => wordsOf(control.getAttribute("aria-label") || control.getAttribute("title") || offersOf(control).join(" ")).join(" ");
const isTool = control => TOOL.test(nameOfTool(control)) || isStop(control);

/** The lines of the controls within a reply, which is not empty. */
function offersIn(reply, echo, input) {
  const hasReply = element => reply.some(line => contains(element, line.element));
  const isOfOthers = element => element === document.body || !!input && contains(element, input) || !!echo && contains(element, echo);
  let message = [...ancestors(reply[0].element)].find(at => reply.every(line => contains(at, line.element))) ?? document.body;
  // Without the prompt's message, nobody knows where the next one ends.
  if (echo) for (const at of [...ancestors(message)]) {
    if (isOfOthers(at)) break;
    message = at;
  }
  const isAlone = !isOfOthers(message);
  const precedes = (one, other) => !!(one.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_FOLLOWING);
  const isBehind = control => precedes(reply[0].node, control);
  const isWithin = control => isBehind(control) && precedes(control, reply.at(-1).node);
  // Where messages have no elements of their own, controls beside the paragraphs of the reply belong to it.
  const isBeside = control => control.parentElement === message && isBehind(control) && !(input && precedes(input, control));
  const all = [...elements(message)].filter(one => one.matches(OFFERS) && one !== input && (isAlone || isWithin(one) || isBeside(one)) && isShown(one));
  const controlsIn = element => all.filter(one => contains(element, one)).length;
  // The row of a control has no text of the reply. Each of its entries may be wrapped.
  const isRowOfTools = control => {
    for (const row of [...ancestors(control)].slice(1)) {
      if (row === message || hasReply(row)) return false;
      if (controlsIn(row) < 2) continue;
      return (contains(row, control) && control.parentElement === row || [...row.children].every(one => controlsIn(one) < 2))
        && all.some(one => contains(row, one) && isTool(one));
    }
    return false;
  };
  const belongs = control => {
    const isLink = control.localName === "a" && getComputedStyle(control).display === "inline";
    const isPart = all.some(one => one !== control && one.localName !== "label" && contains(one, control));
    if (isLink || isPart || hasReply(control) || isTool(control) || control.closest("pre, tr, [role=toolbar]") || isRowOfTools(control)) return false;
    return isWithin(control) || !isApart(control, input) && !isSuggestion(control, input) && (isBehind(control) || !control.matches("summary, [aria-expanded]"));
  };
  return all.filter(belongs).flatMap(control => {
    const texts = offersOf(control).map(text => text.replace(/\s+/g, " ").trim());
    const isText = /^(label|summary|a)$/.test(control.localName);
    return texts.filter(text => wordsOf(text).length && !isBusy(text, { isControl: true }) && (isWithin(control) || !isLabel(text)))
      .map(text => ({ text: isText ? text : `[${text}]`, raw: text, runs: [], element: control, node: control }));
  });
}

/** A reply and the controls within it, in the order of the page. */
function withOffers(reply, offers) {
  const all = [...reply];
  for (const offer of offers) {
    const next = all.findIndex(line => !!(offer.node.compareDocumentPosition(line.node) & Node.DOCUMENT_POSITION_FOLLOWING));
    all.splice(next < 0 ? all.length : next, 0, offer);
  }
  return all;
}

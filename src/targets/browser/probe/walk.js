// The page as lines of text, each with the block element that holds it; through open shadow roots and same-origin frames.

const parentOf = node => node.assignedSlot ?? node.parentElement ?? node.getRootNode().host
  ?? node.ownerDocument?.defaultView?.frameElement ?? null;

const contains = (outer, inner) => {
  for (let at = inner; at; at = parentOf(at)) if (at === outer) return true;
  return false;
};

function* ancestors(element) {
  for (let at = element; at; at = parentOf(at)) yield at;
}

function childrenOf(element) {
  if (element.localName === "iframe") {
    let body = null;
    try { body = element.contentDocument?.body } catch { /* Another origin's page cannot be read. */ }
    return body ? [body] : [];
  }
  if (element.localName === "slot" && element.assignedNodes().length) return element.assignedNodes();
  return (element.shadowRoot ?? element).childNodes;
}

function isShown(element) {
  if (!element.checkVisibility({ visibilityProperty: true, opacityProperty: true })) return false;
  if (getComputedStyle(element).display === "contents") return true;
  const { width, height } = element.getBoundingClientRect();
  // Texts for screen readers alone are cut to one pixel.
  return (width > 1 && height > 1) || element.childNodes.length > 0 && getComputedStyle(element).overflow === "visible";
}

const SKIPPED = /^(script|style|noscript|template|textarea|select|option|datalist|head|title|canvas|audio|video)$/;
const isEditable = element => element.localName === "textarea"
  || element.localName === "input" && !/^(button|submit|reset|checkbox|radio|file|image|hidden|range|color)$/.test(element.type)
  || element.isContentEditable && !element.parentElement?.isContentEditable;

/** Whether a field shows a text that nobody can type. */
const isOutput = element => element.localName === "textarea" && element.readOnly;

/** Every shown element under `root`, parents first. */
function* elements(root) {
  for (const child of childrenOf(root)) {
    if (child.nodeType !== Node.ELEMENT_NODE || /^(script|style|noscript|template)$/.test(child.localName)) continue;
    yield child;
    yield* elements(child);
  }
}

const ICONS = /^["']?(material (icons|symbols)|font ?awesome|[\w -]*\bicons?\b)/i;

/** Whether its text is drawn as an icon. */
const isIcon = element => /\bmaterial-(icons|symbols)/.test(element.getAttribute("class") ?? "") || ICONS.test(getComputedStyle(element).fontFamily);

/** The lines of text under `root`, without what people type. */
function linesOf(root) {
  const lines = [];
  let line = null;
  const end = () => {
    const text = line?.text.replace(/\s+/g, " ").trim();
    if (text) lines.push({ text, raw: line.text, runs: line.runs, element: line.element, node: line.node });
    line = null;
  };
  const writeOutput = field => {
    end();
    for (const text of field.value.split("\n")) {
      line = { text, runs: [], element: field, node: field };
      end();
    }
  };
  const write = (node, block) => {
    if (node.nodeType === Node.TEXT_NODE) {
      if (!node.data.trim() && !line) return;
      const keeps = node.data.includes("\n") && getComputedStyle(block).whiteSpace.match(/^(pre|break)/);
      const [first, ...rest] = keeps ? node.data.split("\n") : [node.data];
      line ??= { text: "", runs: [], element: block, node };
      line.text += first;
      line.runs.push({ text: first, node });
      for (const more of rest) {
        end();
        line = { text: more, runs: [{ text: more, node }], element: block, node };
      }
      return;
    }
    if (node.nodeType !== Node.ELEMENT_NODE) return;
    if (isOutput(node) && isShown(node)) return writeOutput(node);
    if (SKIPPED.test(node.localName) || isEditable(node)) return;
    if (node.localName === "br") return end();
    if (!isShown(node) || isIcon(node)) return;
    const inline = /^(inline|contents|ruby)/.test(getComputedStyle(node).display) && node.localName !== "button";
    if (!inline) end();
    const next = inline && getComputedStyle(node).display !== "inline-flex" ? block : node;
    for (const child of childrenOf(node)) write(child, next);
    if (!inline) end();
  };
  write(root, root);
  end();
  return lines;
}

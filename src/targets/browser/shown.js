// The text of a page that people read; null if the selector finds nothing.

function shown(selector) {
  const root = document.querySelector(selector ?? "body, frameset");
  // Half a surrogate pair has no place in JSON that is UTF-8.
  return root && textOf(root).toWellFormed();
}

// `innerText` knows all about CSS, but does not see shadow trees and frames.
function textOf(root) {
  const isOpen = (element) => element.shadowRoot || element.localName === "iframe";
  if (!isOpen(root) && ![...root.querySelectorAll("*")].some(isOpen)) return root.innerText ?? root.textContent;
  const lines = [""];
  write(root, lines);
  const text = lines.map((line) => line.replace(/[ \t\n]+/g, " ").trim()).join("\n");
  return text.replace(/\n{3,}/g, "\n\n").trim();
}

function write(node, lines) {
  if (node.nodeType === Node.TEXT_NODE) {
    const keepsBreaks = getComputedStyle(node.parentElement ?? node.getRootNode().host).whiteSpace.startsWith("pre");
    const [first, ...rest] = keepsBreaks ? node.data.split("\n") : [node.data];
    lines[lines.length - 1] += first;
    lines.push(...rest);
  } else if (node.nodeType === Node.ELEMENT_NODE && node.checkVisibility({ visibilityProperty: true })) {
    const { display } = getComputedStyle(node);
    const isBlock = !/^(inline|contents|ruby)/.test(display);
    if (node.localName === "br" || isBlock) lines.push("");
    if (node.localName === "p") lines.push("");
    for (const child of childrenOf(node)) write(child, lines);
    if (node.localName === "p") lines.push("");
    if (isBlock) lines.push("");
  }
}

function childrenOf(element) {
  if (element.localName === "iframe") return element.contentDocument?.body ? [element.contentDocument.body] : [];
  if (/^(script|style|noscript|template|textarea|select)$/.test(element.localName)) return [];
  const assigned = element.localName === "slot" ? element.assignedNodes() : [];
  return assigned.length ? assigned : (element.shadowRoot ?? element).childNodes;
}

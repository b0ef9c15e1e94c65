// Lines of the page as Markdown: what a program would print that gives the same answer.

/** The lines, which linesOf() returns, as Markdown. Links are their text. */
function markdownOf(lines) {
  const written = [];
  let open = null;
  const close = () => {
    if (open?.fence) written.push("```");
    open = null;
  };
  for (const line of lines) {
    const pre = closest(line.element, one => one.localName === "pre");
    const row = pre ? null : closest(line.element, one => one.localName === "tr");
    if (open && open.element !== (pre ?? row)) close();
    if (pre) {
      if (!open) {
        open = { element: pre, fence: true };
        written.push("```" + languageOf(pre));
      }
      written.push(line.raw.trimEnd());
    } else if (row) {
      // A row is written as a whole: one of its cells may look like a label.
      if (open) continue;
      open = { element: row };
      const cells = [...row.cells].map(cell => linesOf(cell).map(inlineOf).join(" ").replaceAll("|", "\\|"));
      written.push(`| ${cells.join(" | ")} |`);
      if ([...row.cells].every(cell => cell.localName === "th")) written.push(`|${" --- |".repeat(cells.length)}`);
    } else {
      written.push(prefixOf(line.element, written) + inlineOf(line));
    }
  }
  close();
  return written.join("\n");
}

const closest = (element, holds) => {
  for (const one of ancestors(element)) if (holds(one)) return one;
  return null;
};

const languageOf = pre => /\blanguage-([\w+#-]+)/.exec(`${pre.getAttribute("class") ?? ""} ${pre.querySelector("code")?.getAttribute("class") ?? ""}`)?.[1] ?? "";

// The entries of lists whose marker is written.
const MARKED = new WeakMap();

/** What stands before the text of a block: the marks of a quotation, the indentation and marker of a list, the signs of a heading. */
function prefixOf(element, document_) {
  const around = [...ancestors(element)];
  const quotes = "> ".repeat(around.filter(one => one.localName === "blockquote").length);
  const heading = around.find(one => /^h[1-6]$/.test(one.localName));
  const items = around.filter(one => one.localName === "li");
  let list = "";
  if (items.length) {
    const [item, ...outer] = items;
    const indent = outer.map(one => " ".repeat(markerOf(one).length)).join("");
    const marker = markerOf(item);
    const isFirst = MARKED.get(item) !== document_;
    MARKED.set(item, document_);
    list = indent + (isFirst ? marker : " ".repeat(marker.length));
  }
  return quotes + list + (heading ? `${"#".repeat(Number(heading.localName[1]))} ` : "");
}

function markerOf(item) {
  const list = item.parentElement;
  if (list?.localName !== "ol") return "- ";
  const entries = [...list.children].filter(one => one.localName === "li");
  let number = list.start;
  for (const entry of entries) {
    if (entry.hasAttribute("value")) number = entry.value;
    if (entry === item) break;
    number += 1;
  }
  return `${number}. `;
}

const MARKS = [["**", /^(strong|b)$/], ["*", /^(em|i)$/], ["~~", /^(del|s|strike)$/], ["`", /^(code|kbd|samp|tt)$/]];

/** The text of a line with its emphasis and code. */
function inlineOf({ runs, text }) {
  const parts = [];
  for (const { text: run, node } of runs) {
    const marks = MARKS.filter(([, names]) => {
      for (const one of ancestors(node.parentElement ?? node.getRootNode().host)) {
        if (names.test(one.localName)) return true;
        if (!/^(inline|contents|ruby)/.test(getComputedStyle(one).display)) return false;
      }
      return false;
    }).map(([mark]) => mark);
    const key = marks.includes("`") ? "`" : marks.join("");
    if (parts.at(-1)?.key === key) parts.at(-1).text += run;
    else parts.push({ key, text: run });
  }
  const written = parts.map(({ key, text }) => {
    const inner = text.replace(/\s+/g, " ");
    const core = inner.trim();
    if (!key || !core) return inner;
    const [before, after] = [inner.slice(0, inner.indexOf(core)), inner.slice(inner.indexOf(core) + core.length)];
    return before + key + core + [...key].reverse().join("") + after;
  }).join("").replace(/\s+/g, " ").trim();
  return written || text;
}

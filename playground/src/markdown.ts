/** The Markdown that the analysis writes: paragraphs, lists, fences, rules, **strong** and `code`. Everything else is text. */
import { h } from "./dom.ts";

export function markdown(text: string): HTMLElement {
  const root = h("div", { class: "markdown" });
  for (const block of text.split(/\n{2,}/)) root.append(blockOf(block));
  return root;
}

function blockOf(block: string): HTMLElement {
  const lines = block.split("\n").filter((line) => line.trim() !== "");
  if (lines.length === 1 && /^-{3,}$/.test(lines[0]!.trim())) return h("hr");
  if (lines[0]?.startsWith("```")) return h("pre", {}, lines.slice(1).filter((line) => !line.startsWith("```")).join("\n"));
  if (lines.length > 0 && lines.every((line) => /^\s*[-*] |^ {2}/.test(line))) {
    return h("ul", {}, ...lines.map((line) => h("li", {}, ...inline(line.replace(/^\s*[-*] /, "").trim()))));
  }
  return h("p", {}, ...inline(lines.join(" ")));
}

/** The parts of one line. */
export function inline(text: string): (Node | string)[] {
  return text.split(/(`[^`]+`|\*\*[^*]+\*\*)/).map((part) => {
    if (part.startsWith("`") && part.length > 2) return h("code", {}, part.slice(1, -1));
    if (part.startsWith("**") && part.length > 4) return h("strong", {}, part.slice(2, -2));
    return part.replace(/\\([[\]()*_`\\#<>|!~-])/g, "$1");
  });
}

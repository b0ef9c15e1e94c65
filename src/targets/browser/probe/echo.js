// Where the page shows the prompt itself: as it is, with its Markdown rendered, shortened, or with a label.

/**
 * The ranges of lines that show the prompt, and how: the whole of it (`exact`), with other words, or shortened. The lines are those that are new. A later line that has the prompt and more
 * is an answer that quotes it.
 */
function echoesOf(lines, prompt) {
  const wanted = wordsOf(prompt);
  const exact = [], loose = [], short = [];
  for (let from = 0; from < lines.length; from++) {
    const found = wanted.length ? matchAt(lines, from, wanted) : rawMatchAt(lines, from, prompt);
    if (!found) continue;
    ({ exact, loose, short })[found.how].push({ from, to: found.to, how: found.how });
    if (found.how === "exact") from = found.to;
  }
  if (exact.length) return [...exact, ...short.filter(one => isShortened(lines[one.to].text))];
  if (loose.length) return [loose[0], ...short];
  return short;
}

const isShortened = text => /(…|\.\.\.|\[\u2026\]|more)\W*$/iu.test(text);
const rawMatchAt = (lines, from, prompt) =>
  lines[from].text.includes(prompt.trim().replace(/\s+/g, " ")) ? { how: "exact", to: from } : null;

function matchAt(lines, from, wanted) {
  const seen = [];
  const target = wanted.join(" ");
  for (let to = from; to < lines.length && seen.length <= wanted.length + 12; to++) {
    const words = wordsOf(lines[to].text);
    seen.push(...words);
    const at = indexOf(seen, wanted);
    if (at >= 0) {
      // A label in a separate line is not part of the match.
      if (to > from && at >= wordsOf(lines[from].text).length) return null;
      const rest = [...seen.slice(0, at), ...seen.slice(at + wanted.length)];
      const strange = rest.filter(word => !LABELS.has(word) && !/^\d+$/.test(word)).length;
      if (strange > 3) return null;
      return { how: strange === 0 ? "exact" : "loose", to };
    }
    const start = seen.findIndex(word => !LABELS.has(word) || word === wanted[0]);
    const said = seen.slice(Math.max(start, 0)).join(" ");
    const cut = isShortened(lines[to].text);
    const compact = said.replace(/ more$/, "");
    if (cut && compact.length >= Math.min(6, target.length) && target.startsWith(compact)) return { how: "short", to };
    // Shortened in the middle.
    const middle = lines[to].text.split(/…|\.\.\.|\[\u2026\]/).map(part => wordsOf(part).join(" "));
    if (middle.length === 2 && middle[0].length >= 4 && middle[1] && target.startsWith(middle[0]) && target.endsWith(middle[1])) return { how: "short", to };
    if (!target.startsWith(said)) return null;
    const next = lines[to + 1] && wordsOf(lines[to + 1].text)[0];
    const goesOn = next && target.slice(said.length).trim().startsWith(next);
    if (said.length >= 12 && !goesOn) return { how: "short", to };
    if (!goesOn) return null;
  }
  return null;
}

function indexOf(words, wanted) {
  for (let at = 0; at + wanted.length <= words.length; at++) {
    if (wanted.every((word, index) => words[at + index] === word)) return at;
  }
  return -1;
}

// Signs of work that are not text: spinners, moving things, `aria-busy`, a stop button, a disabled input.

const TOKEN = /^(is-?)?(spinner|loading|loader|typing|skeleton|shimmer|thinking|pending|streaming|generating|busy|progress)$/;
const STATE = /^(is-?)?(loading|typing|pending|streaming|generating|thinking|busy)$/;
const tokensOf = element => `${element.getAttribute("class") ?? ""} ${element.id ?? ""} ${element.dataset?.testid ?? ""}`
  .split(/\s+/).filter(token => token && !/[:[\]]/.test(token));
const partsOf = token => token.replace(/([a-z0-9])([A-Z])/g, "$1-$2").toLowerCase().split(/[-_]+/);
const named = element => `<${element.localName}${element.id ? `#${element.id}` : ""}>`;

function nameOf(element) {
  const text = element.getAttribute("aria-label") || element.getAttribute("title") || element.textContent || element.value || "";
  return `${text}`.replace(/\s+/g, " ").trim().slice(0, 80);
}

const isButton = element => element.localName === "button" || element.getAttribute("role") === "button"
  || element.localName === "input" && /^(submit|button|image)$/.test(element.type);

/** Every sign on the page, as `kind: what` with how often it is there. */
function signsOf(root, { busySelector, ignored }) {
  const signs = new Map();
  const add = (kind, what) => signs.set(`${kind}: ${what}`, (signs.get(`${kind}: ${what}`) ?? 0) + 1);
  const docs = new Set([document]);
  for (const element of elements(root)) {
    if (ignored(element)) continue;
    if (element.localName === "iframe") try { element.contentDocument && docs.add(element.contentDocument) } catch { continue }
    const role = element.getAttribute("role");
    const classes = tokensOf(element);
    const state = element.getAttribute("data-state") ?? element.getAttribute("data-status") ?? "";
    const marked = [...Object.keys(element.dataset ?? {})].some(key =>
      STATE.test(key.replace(/([a-z])([A-Z])/g, "$1-$2").toLowerCase()) && !/^(false|0|no|done|idle)$/.test(element.dataset[key]));
    const candidate = element.getAttribute("aria-busy") === "true" || role === "progressbar" || element.localName === "progress"
      || /^(animate|animateTransform|animateMotion)$/.test(element.localName) || isButton(element) || marked
      || classes.some(token => partsOf(token).some(part => TOKEN.test(part))) || STATE.test(state) || element.localName === "img";
    if (!candidate || !isShown(element.ownerSVGElement ?? element)) continue;
    if (element.getAttribute("aria-busy") === "true") add("an element with `aria-busy`", named(element));
    if ((role === "progressbar" || element.localName === "progress") && !isFull(element)) add("a progress bar", named(element));
    if (/^animate/.test(element.localName) && element.getAttribute("repeatCount") === "indefinite") add("a moving image", named(element));
    if (element.localName === "img" && /spin|loading|loader|typing|dots|thinking/i.test(`${element.getAttribute("src")} ${element.alt}`)) add("a moving image", named(element));
    if (isButton(element) && !element.disabled && isStop(element)) add("a stop button", nameOf(element) || named(element));
    const text = element.textContent.trim();
    const word = classes.find(token => partsOf(token).some(part => TOKEN.test(part)) && !/^(not|no|un)-/.test(token));
    if (!isButton(element) && word && (!text || isBusy(text, {}) || STATE.test(word)) && text.length < 2000 && !element.querySelector("input,textarea,[contenteditable]")) add("a spinner", `\`${word.slice(0, 40)}\``);
    if ((marked || STATE.test(state)) && !element.querySelector("input,textarea,[contenteditable]")) add("a part that is loading", named(element));
    if (/^(wait|progress)$/.test(getComputedStyle(element).cursor)) add("a busy cursor", named(element));
  }
  for (const doc of docs) {
    for (const motion of doc.getAnimations?.() ?? []) {
      const { effect } = motion;
      if (motion.playState !== "running" || !effect?.target || effect.getComputedTiming().iterations < 100) continue;
      if (!isShown(effect.target) || ignored(effect.target)) continue;
      add("something moves", `\`${motion.animationName ?? "animation"}\` on ${named(effect.target)}`);
    }
  }
  if (/^(wait|progress)$/.test(getComputedStyle(document.body).cursor)) add("a busy cursor", "<body>");
  if (busySelector) for (const element of document.querySelectorAll(busySelector)) if (isShown(element)) add("busy_selector", `\`${busySelector}\``);
  return signs;
}

function isFull(element) {
  const value = element.getAttribute("aria-valuenow") ?? element.getAttribute("value");
  const most = element.getAttribute("aria-valuemax") ?? element.getAttribute("max") ?? (element.localName === "progress" ? "1" : "100");
  return value !== null && Number(value) >= Number(most);
}

function isStop(button) {
  const words = wordsOf(nameOf(button));
  if (words.length) return /^(stop|cancel|abort|interrupt|halt)$/.test(words[0]) && words.length <= 4;
  return tokensOf(button).some(token => partsOf(token).some(part => /^(stop|cancel|abort)$/.test(part)))
    || !!button.querySelector("[class*=stop i], [data-icon*=stop i], [data-testid*=stop i]");
}

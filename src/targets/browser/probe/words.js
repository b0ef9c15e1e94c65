// What texts are made of: words without Markdown and punctuation, labels beside a message, and words of work in progress.

const plain = text => text.normalize("NFKC").toLowerCase().replace(/[’‘]/g, "'");
const wordsOf = text => plain(text).match(/[\p{L}\p{N}]+/gu) ?? [];

// Words beside a message that are not part of it.
const LABELS = new Set(("you me i user human guest sender q question prompt query asked ask said says wrote message messages "
  + "assistant ai bot chatbot agent system copilot model answer reply a response sent delivered seen read edited edit copy copied "
  + "retry regenerate share like dislike just now today yesterday at am pm ago on s sec secs second seconds m min mins minute "
  + "minutes h hour hours new unread notification notifications replies avatar icon app your of mon tue wed thu fri sat sun "
  + "monday tuesday wednesday thursday friday saturday sunday jan feb mar apr may jun jul aug sep sept oct nov dec january "
  + "february march april june july august september october november december").split(" "));
// Words of which an answer may consist.
const ANSWERS = /^(yes|no|nope|ok|okay|done|sure|hello|hi|hey|thanks|none|nothing|true|false|ready|maybe|correct|wrong|never|always)\W*$/i;

const CLOCK = /\b\d{1,2}[:.]\d{2}([:.]\d{2})?( ?[ap]\.?m\.?)?\b|\b\d+ ?(s|secs?|seconds?|m|mins?|minutes?|h|hrs?|hours?|days?) ago\b|\bjust now\b/gi;
const DATE = /\b\d{4}-\d{2}-\d{2}\b|\b\d{1,2}[./]\d{1,2}[./]\d{2,4}\b/g;
const withoutTimes = text => text.replace(DATE, "").replace(CLOCK, "⌚");
const digitless = text => text.replace(/\d+/g, "0");

/** Whether a line only labels a message: a name, a time, a tick, a counter. */
function isLabel(text) {
  const left = withoutTimes(text);
  if (/[.!?]$/.test(left) && wordsOf(left).length > 1) return false;
  const counts = /\b(new|unread|messages?|replies|notifications?)\b/i.test(text);
  return wordsOf(left).every(word => LABELS.has(word) || counts && /^\d+$/.test(word));
}

const DOING = new Set(("thinking typing working loading generating searching processing analyzing analysing computing "
  + "calculating fetching looking reading writing connecting reconnecting retrying waiting queuing queueing preparing running "
  + "executing calling planning reasoning streaming summarizing summarising synthesizing gathering browsing crunching pondering "
  + "drafting creating updating checking querying retrieving responding answering sending transcribing starting initializing "
  + "syncing crawling using consulting collecting considering understanding getting finding asking translating opening "
  + "saving submitting uploading downloading buffering composing recording listening contacting requesting resolving").split(" "));
const NOT_DOING = /^(nothing|something|anything|everything|morning|evening|thing|things|king|string|during|according|regarding|spring|being|following|including|missing|existing|having)$/;

/** Whether a line shows that the assistant is at work. */
function isBusy(text, { isControl, isNear }) {
  const words = wordsOf(withoutTimes(text)).filter(word => !/^\d+$/.test(word));
  if (/^[\s.\u2026\u00b7•●○◌◐◓◑◒◴◷◶◵▌▍▎▏█▁-█_|\u2800-\u28ff⏳⌛-]+$/u.test(text)) return !/^[_|-]+$/.test(text) || text.length === 1;
  if (/[▌▍█●⏳⌛]$/u.test(text)) return true;
  const waits = /(…|\.\.\.)\W*$/u.test(text.trim()) || /(…|\.\.\.)\s*\(?\s*(\d+(\.\d+)? ?(s|sec|seconds|%)|\d+:\d+)\)?$/.test(text);
  const first = words.find(word => !["i", "m", "am", "we", "re", "is", "are", "still", "now", "currently", "just", "the", "assistant", "bot", "ai", "agent"].includes(word)) ?? "";
  const doing = DOING.has(first) || waits && /ing$/.test(first) && !NOT_DOING.test(first);
  if (isControl) return words.length === 1 && (DOING.has(words[0]) && (waits || !/^(reading|writing|using|opening|saving|recording)$/.test(words[0])));
  if (doing && (waits ? text.length <= 120 : words.length <= 3 && !/[.!?:]$/.test(text))) return true;
  if (words.length <= 8 && /\b(is|are) (still |now )?\p{L}+ing\b(?!.*[.!?]$)/iu.test(text) && words.some(word => DOING.has(word))) return true;
  if (words.length <= 8 && /\b(please wait|one moment|(just )?a (moment|second|sec)\b|hold on|hang on|stand by|bear with)/i.test(text)) return true;
  if (words.length <= 9 && /(^|\b(is|in|are|now) )(queued|pending|in (the |a )?queue|queue position|waiting)\b|position (in (the )?queue )?#?\d|number \d+ in (the |a )?queue|queue(d)?\b.*\d/i.test(text)) return true;
  return waits && isNear && words.length <= 4 && text.length <= 30;
}

/** Whether a line names an activity and shows no other sign that it goes on: `Reading results`. A finished step looks so too. */
const isBareDoing = text => !/…|\.\.\./.test(text) && wordsOf(text).length <= 3 && wordsOf(text).some(word => DOING.has(word));

const ANNOUNCES = new RegExp("\\b(i'll|i will|i am going to|i'm going to|let me|let's|let us|we'll|we will|going to|need to|have to)\\b(?! know\\b)"
  + ".{0,40}\\b(look|check|see|search|find|fetch|get|pull|gather|query|read|count|calculate|compute|investigate|dig|analy[sz]e|review|"
  + "load|retrieve|collect|ask|consult|verify|examine|inspect|browse|run|start|try|work|think|figure|prepare|summari[sz]e)\\b", "i");

const REPLIES_LATER = new RegExp("\\b(will|going to|we'll)\\b.{0,40}\\b(reply|respond|answer|get back|be with you|be right with)\\b.{0,40}"
  + "\\b(shortly|soon|moment|moments|momentarily|seconds?|minutes?|right away|as soon as)\\b", "i");

const AGREES = /^(sure( thing)?|ok(ay)?|of course|certainly|absolutely|(great|good) question|got it|al ?right|understood|no problem|on it|right away)[.!]*$/i;

/** Whether a line announces that more of the answer follows: `I will look that up.`, `Sure!`, `Here it is:` */
function isAnnouncement(text) {
  const last = plain(text).split(/(?<=[.!?\u2026])\s+/).filter(Boolean).at(-1) ?? "";
  if (AGREES.test(last) || last.endsWith(":")) return true;
  return wordsOf(last).length <= 25 && !last.endsWith("?") && !/\bif you\b/.test(last) && (ANNOUNCES.test(last) || REPLIES_LATER.test(last));
}

// How a page reports that a message was not sent.
const REFUSED = new RegExp("\\b(not|could not be|couldn't be|cannot be|can't be|was not|wasn't) (sent|delivered|posted)\\b|\\bfailed to (send|deliver|post)\\b"
  + "|\\b(sending|delivery) failed\\b|\\b(unable|failed) to (send|connect|reach)\\b|\\b(re-?send|try again|offline|too (long|many)|rate limit|sign in|log in|"
  + "please wait|limit reached|not connected)\\b", "i");
// The same about the prompt, and nothing else.
const NOT_SENT = new RegExp("^\\W*((your |this |the )?(message|prompt|question|request) )?((was|is|has|could|can)( ?not|n't) (been |be )?|not )"
  + "(sent|delivered|posted|submitted)[.!]|^\\W*(failed|unable) to (send|deliver|post|submit)( (your |this |the )?(message|prompt|question|request))?[.!]"
  + "|^\\W*(sending|delivery) failed\\b", "i");
const isNotSent = text => wordsOf(text).length <= 15 && NOT_SENT.test(`${plain(text)}.`);

// What became of the prompt: `Seen by Ada`, `Message sent.`
const RECEIPT = new RegExp("^\\W*(your |the )?(message|prompt|question|request)?\\s*(was |has been |is )?"
  + "(sent|delivered|received|read|seen|viewed|submitted|queued)( (by|to|at|on) .{1,40})?[.!✓\\s]*$", "i");
// Who takes part in the conversation.
const PRESENCE = new RegExp("^.{1,40} (has |have )?(joined|left|entered) (the |this )?(chat|conversation|room|channel|session|call)\\W*$"
  + "|^(you are|you're) (now )?(connected|chatting|talking) (to|with) .{1,40}$", "i");
// The state of the page, or of what people type.
const STATUS = new RegExp("^\\W*(all |your )?(changes?|drafts?|conversation|chat|history|everything|work|document)?\\s*(was |is |are |auto-?)?"
  + "(saved|synced|updated|stored|online|offline|connected|disconnected|idle|active|away|up to date)( (just )?now| again| at .{1,12}| \\d.{0,12})?\\W*$", "i");
const isStatus = text => wordsOf(text).length <= 6 && STATUS.test(text);

const isRefusal = text => wordsOf(text).length <= 20 && REFUSED.test(plain(text));

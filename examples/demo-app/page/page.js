// The page of the workshop board: draws the board, and talks to the assistant.

const at = new URL(location.href);
const element = id => document.getElementById(id);
const [log, status, form, prompt] = ["log", "status", "form", "prompt"].map(element);

const REPAIRS = [
  ["Ada's tandem", "overdue 2 days", "overdue"],
  ["Cargo bike", "overdue 1 day", "overdue"],
  ["Folding bike", "waits for parts", "waiting-for-parts"],
  ["Postman's bike", "waits for parts", "waiting-for-parts"],
  ["Gravel bike", "waits for parts", "waiting-for-parts"],
  ["Child's bike", "due Thursday", ""],
  ["City bike, blue", "due Thursday", ""],
  ["Touring bike", "due Friday", ""],
  ["Unicycle", "due Friday", ""],
];

const WIDGETS = {
  repairs: widget => list("Open repairs", REPAIRS.filter(([, , state]) => widget.repairs === "all" || state === widget.repairs)
    .map(([name, due, state]) => [name, due, state === "overdue" ? "late" : ""])),
  stock: () => list("Stock levels", [["Inner tubes", "14 left", "late"], ["Brake pads", "38 left", ""], ["Chains", "21 left", ""]]),
  appointments: () => list("Appointments", [["Tue 10:00", "Grace", ""], ["Tue 14:30", "Edsger", ""], ["Thu", "4 free slots", ""]]),
  takings: () => {
    const card = article("Takings");
    const bars = make("div", { className: "bars", role: "img", ariaLabel: "Takings by day: 310, 420, 280, 510, 640, 890, 180 euros" });
    bars.append(...[310, 420, 280, 510, 640, 890, 180].map(day => make("i", { style: `height:${day / 9}%` })));
    card.append(make("p", { className: "number", textContent: "€ 3,230" }), bars);
    return card;
  },
};

function make(tag, { role, ariaLabel, ...rest } = {}) {
  const made = Object.assign(document.createElement(tag), rest);
  if (role) made.setAttribute("role", role);
  if (ariaLabel) made.setAttribute("aria-label", ariaLabel);
  return made;
}

function article(title) {
  const card = make("article", { ariaLabel: title });
  card.append(make("h3", { textContent: title }));
  return card;
}

function list(title, rows) {
  const card = article(title);
  const items = rows.map(([name, value, mark]) => {
    const item = make("li");
    item.append(make("b", { textContent: name }), make("span", { textContent: value, className: mark }));
    return item;
  });
  const all = make("ul");
  all.append(...items);
  card.append(all);
  return card;
}

function draw(board) {
  element("space").textContent = board.title;
  element("count").textContent = board.widgets.length === 1 ? "1 widget" : `${board.widgets.length} widgets`;
  element("widgets").replaceChildren(...board.widgets.map(widget => WIDGETS[widget.kind](widget)));
}

// A message: paragraphs, and list items where a line begins with a number.
function write(message, text) {
  const parts = [];
  for (const line of text.split("\n")) {
    const item = /^\d+\. /.exec(line);
    if (!item) parts.push(make("p", { textContent: line }));
    else {
      if (parts.at(-1)?.tagName !== "OL") parts.push(make("ol"));
      parts.at(-1).append(make("li", { textContent: line.slice(item[0].length) }));
    }
  }
  message.replaceChildren(...parts);
  log.scrollTop = log.scrollHeight;
}

function say(text, isMine) {
  const message = make("div", { className: isMine ? "message mine" : "message" });
  log.append(message);
  write(message, text);
  return message;
}

let conversation;
let busy = false;

async function begin() {
  const query = new URLSearchParams();
  const mode = at.searchParams.get("mode");
  if (mode) query.set("mode", mode);
  const space = /^\/space\/(.+)$/.exec(at.pathname);
  if (space) query.set("space", decodeURIComponent(space[1]));
  conversation = await (await fetch(`/api/conversations?${query}`, { method: "POST" })).json();
  log.replaceChildren();
  status.textContent = "";
  draw(conversation.board);
  // A flaky app is late with its chat, too.
  if (conversation.mode === "flaky" && form.hidden) await new Promise(done => setTimeout(done, 700));
  form.hidden = false;
}

async function ask(text) {
  if (conversation.mode === "silent") return;
  const asked = conversation;
  busy = true;
  prompt.value = "";
  say(text, true);
  status.textContent = "Thinking…";
  const answer = { text: "", message: undefined, actions: undefined };
  try {
    const response = await fetch(`/api/conversations/${asked.id}/messages`, {
      method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify({ text }),
    });
    if (!response.ok) throw new Error(`The workshop answered with ${response.status}.`);
    await read(response.body, line => take(line, answer));
    if (!answer.actions) {
      status.textContent = "Connection lost, trying again…";
      await new Promise(done => setTimeout(done, 900));
      const last = await (await fetch(`/api/conversations/${asked.id}/last`)).json();
      answer.message ??= say("", false);
      write(answer.message, last.text);
      answer.actions = last.actions;
    }
    offer(answer.actions);
    status.textContent = "";
  } catch (fault) {
    status.textContent = `Something went wrong. ${fault.message}`;
  } finally {
    busy = false;
  }
}

function take(line, answer) {
  if (line.thinking) status.textContent = line.thinking;
  if (line.board) draw(line.board);
  if (line.text) {
    status.textContent = "Writing…";
    answer.text += line.text;
    answer.message ??= say("", false);
    write(answer.message, answer.text);
  }
  if (line.done) answer.actions = line.actions;
}

function offer(actions) {
  if (actions.length === 0) return;
  const row = make("div", { className: "actions", role: "group", ariaLabel: "What next" });
  row.append(...actions.map(action => make("button", { type: "button", className: "quiet", textContent: action, onclick: () => row.remove() })));
  log.append(row);
  log.scrollTop = log.scrollHeight;
}

async function read(body, take) {
  let rest = "";
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
    const lines = (rest + piece.value).split("\n");
    rest = lines.pop();
    lines.forEach(line => take(JSON.parse(line)));
  }
}

form.addEventListener("submit", event => {
  event.preventDefault();
  const text = prompt.value.trim();
  if (text && !busy) ask(text);
});
prompt.addEventListener("keydown", event => {
  if (event.key === "Enter" && !event.shiftKey) {
    event.preventDefault();
    form.requestSubmit();
  }
});
element("new").addEventListener("click", begin);
begin().catch(fault => { status.textContent = `The workshop does not answer. ${fault.message}`; });

/** [engine/server] What the chat page does: the conversation, sending and stopping, probabilities under the pointer or by arrow keys. */
import { ask, eventsOf, pieceOf, spansOf } from "./stream.js";

const KEY_ITEM = "tilewright-api-key";
/** Kept back from the context where nobody says how much may be written: a prompt that fills it gets no answer. */
const LEAST_ROOM = 1;
/** Between looks at a server whose model loads. */
const LOADING_MS = 1000;
const LIKELY = 0.8;
const UNLIKELY = 0.3;

const at = (id) => document.getElementById(id);
const [log, input, popover, settings] = ["log", "input", "popover", "settings-form"].map(at);
const field = (name) => settings.elements.namedItem(name);

/** The conversation: `{role, content}` in order. */
let turns = [];
let model;
let running;
let key = sessionStorage.getItem(KEY_ITEM) ?? "";

function element(tag, className, text = "") {
  const made = document.createElement(tag);
  made.className = className;
  made.textContent = text;
  return made;
}

function say(text) {
  at("status").textContent = text;
}

/** Opens the page to a model, or asks for the key first. */
async function connect() {
  try {
    [model] = (await ask("v1/models", key)).data;
  } catch (error) {
    at("key-form").hidden = error.status !== 401;
    log.hidden = error.status === 401;
    say(error.status === 401 ? "waiting for a key" : error.message);
    if (error.status === 503) setTimeout(connect, LOADING_MS);
    if (error.status !== 401) return;
    at("key-error").textContent = key === "" ? "" : "This key is not one of the server's.";
    at("key").focus();
    return;
  }
  sessionStorage.setItem(KEY_ITEM, key);
  at("key-form").hidden = true;
  log.hidden = false;
  at("model").textContent = document.title = model.id;
  showMode(model.has_chat_template ? "chat" : "completion");
  field("mode").options[0].disabled = !model.has_chat_template;
  showContext(0);
  at("send").disabled = false;
  say("ready");
  input.focus();
}

function showMode(mode) {
  field("mode").value = mode;
  at("system-label").textContent = mode === "chat" ? "System prompt" : "Text in front";
}

function showContext(tokens) {
  at("context").textContent = `${tokens} of ${model.max_model_len} tokens`;
}

function prompt() {
  const system = field("system").value;
  if (field("mode").value === "completion")
    return { prompt: system + turns.map(({ content }) => content).join("") };
  const first = system === "" ? [] : [{ role: "system", content: system }];
  return { messages: [...first, ...turns] };
}

/** What the settings say, in the words of the API; what is left empty is the server's to choose. */
function sampling() {
  const numbers = ["temperature", "top_p", "top_k", "min_p", "seed"];
  numbers.push("repetition_penalty", "presence_penalty", "frequency_penalty");
  const given = numbers.filter((name) => field(name).value !== "");
  const stop = field("stop").value;
  const width = Number(field("alternatives").value);
  const isChat = field("mode").value === "chat";
  const logprobs = isChat ? { logprobs: true, top_logprobs: width } : { logprobs: width };
  return {
    ...Object.fromEntries(given.map((name) => [name, Number(field(name).value)])),
    ...(stop === "" ? {} : { stop }),
    ...(field("probabilities").checked ? logprobs : {}),
  };
}

/** An answer is as long as is asked for, and never longer than the context has room. */
async function roomFor(asked) {
  const special = field("mode").value === "completion";
  const body = { ...asked, add_special_tokens: special };
  const { count } = await ask("tokenize", key, body, running.signal);
  const room = model.max_model_len - count;
  if (room < LEAST_ROOM)
    throw new Error(`the conversation has ${count} tokens, the model takes ${model.max_model_len}`);
  return Math.min(room, Number(field("max_tokens").value) || room);
}

async function answer() {
  running = new AbortController();
  setRunning(true);
  const { turn, body } = addTurn("assistant");
  const view = new AnswerView(body);
  const start = performance.now();
  let end = "";
  try {
    const asked = prompt();
    const path = asked.messages === undefined ? "v1/completions" : "v1/chat/completions";
    const request = {
      model: model.id,
      ...asked,
      ...sampling(),
      max_tokens: await roomFor(asked),
      stream: true,
      stream_options: { include_usage: true, continuous_usage_stats: true },
    };
    for await (const event of eventsOf(await ask(path, key, request, running.signal))) {
      const [choice] = event.choices;
      if (choice !== undefined) {
        const piece = pieceOf(choice);
        view.add(piece, performance.now() - start);
        if (piece.reason !== null) end = piece.reason;
      }
      if (event.usage) view.count(event.usage);
    }
  } catch (error) {
    if (error.name === "AbortError") end = "stopped";
    else showError(error);
  }
  view.close(end, performance.now() - start);
  if (view.text !== "") turns.push({ role: "assistant", content: view.text });
  else if (end === "") turn.remove();
  setRunning(false);
}

function setRunning(is) {
  for (const id of ["send", "clear"]) at(id).disabled = is;
  at("retry").disabled = is || turns.length === 0;
  at("send").hidden = is;
  at("stop").hidden = !is;
  log.setAttribute("aria-busy", String(is));
  if (is) say("waiting for the first token");
  else {
    running = undefined;
    input.focus();
  }
}

function addTurn(role, text = "") {
  const turn = element("div", `turn ${role}`);
  const body = element("div", "body", text);
  turn.append(element("div", "who", role === "user" ? "you" : role), body);
  log.append(turn);
  log.scrollTop = log.scrollHeight;
  return { turn, body };
}

function showError(error) {
  const { turn } = addTurn("error", error.message);
  turn.setAttribute("role", "alert");
  say("the request failed");
}

/** One answer as it comes: a span for each token, the counts below. */
class AnswerView {
  text = "";
  #body;
  #note = element("div", "note");
  /** Tokens whose text has not come: they belong to the next. */
  #waiting = [];
  #usage;
  #firstMs;

  constructor(body) {
    this.#body = body;
    body.after(this.#note);
  }

  add(piece, ms) {
    const isAtEnd = log.scrollHeight - log.scrollTop - log.clientHeight < 40;
    const tokens = [...this.#waiting, ...piece.tokens];
    this.#waiting = piece.text === "" ? tokens : [];
    if (piece.text !== "") {
      if (this.#firstMs === undefined) say("answering");
      this.#firstMs ??= ms;
      this.text += piece.text;
      this.#body.append(
        ...spansOf({ ...piece, tokens }).map((span) => tokenSpan(span.text, span.tokens)),
      );
    }
    if (isAtEnd) log.scrollTop = log.scrollHeight;
  }

  count(usage) {
    this.#usage = usage;
    showContext(usage.total_tokens);
    const cached = usage.prompt_tokens_details?.cached_tokens ?? 0;
    const kept = cached > 0 ? ` (${cached} from the cache)` : "";
    this.#note.textContent = `${usage.prompt_tokens} prompt tokens${kept}, ${usage.completion_tokens} written`;
  }

  /** The token that ends an answer has no text and is shown by its name. */
  close(reason, ms) {
    for (const token of this.#waiting) {
      const span = tokenSpan(token.text, [token]);
      span.classList.add("end");
      this.#body.append(span);
    }
    if (this.#body.querySelector(".token[data-tokens]") !== null) {
      this.#body.tabIndex = 0;
      this.#body.setAttribute("aria-description", "Arrow keys go from token to token");
    }
    const tokens = this.#usage?.completion_tokens ?? 0;
    const speed =
      tokens > 1
        ? `, ${((1000 * (tokens - 1)) / (ms - (this.#firstMs ?? 0))).toFixed(1)} a second`
        : "";
    const first =
      this.#firstMs === undefined ? "" : `, the first after ${Math.round(this.#firstMs)} ms`;
    this.#note.textContent += `${first}${speed}${reason === "" ? "" : `; ${reason}`}`;
    if (reason !== "") say(reason === "stopped" ? "stopped" : "ready");
  }
}

function tokenSpan(text, tokens) {
  const span = element("span", "token", text);
  if (tokens.length === 0) return span;
  const least = Math.exp(Math.min(...tokens.map(({ logprob }) => logprob)));
  span.classList.add(least >= LIKELY ? "high" : least >= UNLIKELY ? "mid" : "low");
  span.dataset.tokens = JSON.stringify(tokens);
  return span;
}

/** White space is shown as what it is. */
const visible = (text) => JSON.stringify(text).slice(1, -1).replaceAll(" ", "␣");
const percent = (logprob) => `${(100 * Math.exp(logprob)).toFixed(2)} %`;

function showToken(span) {
  for (const old of log.querySelectorAll(".chosen")) old.classList.remove("chosen");
  popover.hidden = span === null;
  popover.replaceChildren();
  if (span === null) return;
  span.classList.add("chosen");
  for (const { text, logprob, top } of JSON.parse(span.dataset.tokens)) {
    const table = element("table", "");
    const isListed = top.some((one) => one.text === text);
    for (const one of isListed ? top : [{ text, logprob }, ...top]) {
      const row = element("tr", one.text === text ? "taken" : "");
      row.append(element("td", "", visible(one.text)), element("td", "", percent(one.logprob)));
      table.append(row);
    }
    popover.append(table);
  }
  place(span);
}

/** Puts the popover beside a token. */
function place(span) {
  const box = span.getBoundingClientRect();
  const { offsetWidth: width, offsetHeight: height } = popover;
  const below = box.bottom + 6;
  const isBelow = below + height < innerHeight;
  popover.style.left = `${Math.max(4, Math.min(box.left, innerWidth - width - 4))}px`;
  popover.style.top = `${isBelow ? below : Math.max(4, box.top - height - 6)}px`;
}

/** The next token in the direction of an arrow key, within one answer. */
function moveToken(body, step) {
  const spans = [...body.querySelectorAll(".token[data-tokens]")];
  const now = spans.findIndex((span) => span.classList.contains("chosen"));
  const next = now < 0 ? (step > 0 ? 0 : spans.length - 1) : now + step;
  const span = spans[Math.max(0, Math.min(spans.length - 1, next))];
  span.scrollIntoView({ block: "nearest" });
  showToken(span);
}

function send() {
  const text = input.value;
  const isChat = field("mode").value === "chat";
  if (running !== undefined || model === undefined || !settings.reportValidity()) return;
  if (text === "" && (isChat || turns.length === 0)) return; // a completion goes on by itself
  if (text !== "") {
    turns.push({ role: "user", content: text });
    addTurn("user", text);
    input.value = "";
  }
  void answer();
}

/** Another answer in the place of the last, or one where none came. */
function retry() {
  if (running !== undefined || turns.length === 0) return;
  for (const failed of log.querySelectorAll(".turn.error")) failed.remove();
  if (turns.at(-1).role === "assistant") {
    turns.pop();
    [...log.querySelectorAll(".turn.assistant")].at(-1)?.remove();
  }
  void answer();
}

function clear() {
  turns = [];
  log.replaceChildren();
  showToken(null);
  showContext(0);
  at("retry").disabled = true;
  say("ready");
  input.focus();
}

at("composer").addEventListener("submit", (event) => {
  event.preventDefault();
  send();
});
input.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
  event.preventDefault();
  send();
});
document.addEventListener("keydown", ({ key: pressed, target }) => {
  if (pressed === "Escape") {
    running?.abort();
    showToken(null);
  }
  const step = { ArrowRight: 1, ArrowLeft: -1 }[pressed];
  if (step !== undefined && target.matches?.(".assistant .body")) moveToken(target, step);
});
log.addEventListener("mouseover", ({ target }) => showToken(target.closest(".token[data-tokens]")));
log.addEventListener("mouseleave", () => showToken(null));
log.addEventListener("scroll", () => {
  const chosen = log.querySelector(".chosen");
  // Keys scroll as well: what they chose stays chosen.
  if (chosen?.closest(".body") === document.activeElement) place(chosen);
  else showToken(null);
});
at("stop").addEventListener("click", () => running?.abort());
at("retry").addEventListener("click", retry);
at("clear").addEventListener("click", clear);
field("mode").addEventListener("change", ({ target }) => showMode(target.value));
settings.addEventListener("submit", (event) => event.preventDefault());
at("key-form").addEventListener("submit", (event) => {
  event.preventDefault();
  key = at("key").value;
  void connect();
});
void connect();

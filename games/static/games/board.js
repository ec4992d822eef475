// Boards: cells by keyboard, a replay by keys and slider, a record entered by clicks. The server
// knows the rules: it answers each turn and each question about a cell.
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const QUESTIONS = { n: "neighbours", c: "chain", e: "edges", b: "bounds" };
const STEPS = { ",": "prev", ".": "next", Home: "first", End: "last" };
const PLIES = { first: () => 0, prev: (ply) => ply - 1, next: (ply) => ply + 1, last: (ply, plies) => plies };
const CELL = '[role="gridcell"]';

const nameOf = (cell) => cell.getAttribute("aria-label").split(",", 1)[0];
const part = (board, selector) => board.querySelector(selector);
const boardOf = (element) => element.closest(".replay");

function findCell(board, name) {
  const sought = name.trim().toLowerCase();
  return [...board.querySelectorAll(CELL)].find((cell) => nameOf(cell).toLowerCase() === sought);
}

function centreOf(cell) {
  const box = cell.getBBox();
  return [box.x + box.width / 2, box.y + box.height / 2];
}

function goTo(cell) {
  for (const other of cell.ownerSVGElement.querySelectorAll(CELL + "[tabindex]")) other.removeAttribute("tabindex");
  cell.setAttribute("tabindex", "0");
  cell.focus();
}

// The nearest cell in a direction; one that is off the line counts as farther away.
function cellTowards(from, [dx, dy]) {
  const [x, y] = centreOf(from);
  let best = from, least = Infinity;
  for (const cell of from.ownerSVGElement.querySelectorAll(CELL)) {
    const [otherX, otherY] = centreOf(cell);
    const along = (otherX - x) * dx + (otherY - y) * dy;
    const weight = ((otherX - x) ** 2 + (otherY - y) ** 2) / along;
    if (along > 1 && weight < least) [best, least] = [cell, weight];
  }
  return best;
}

// Browsers move a tap to what can have the focus, if that is near: the cell of the last turn. They say
// before where the finger was.
let finger = null;
document.addEventListener("pointerdown", (event) => { finger = event.pointerType === "touch" ? event : null; });

function placeIn(svg, event) {
  const { clientX, clientY } = finger ?? event;
  return new DOMPoint(clientX, clientY).matrixTransform(svg.getScreenCTM().inverse());
}

function nearestCell(svg, place) {
  let best = null, least = Infinity;
  for (const cell of svg.querySelectorAll(CELL)) {
    const [x, y] = centreOf(cell), distance = (x - place.x) ** 2 + (y - place.y) ** 2;
    if (distance < least) [best, least] = [cell, distance];
  }
  return best;
}

// Some browsers do not say what a click was made with.
function isTouch(event) {
  return event.pointerType ? event.pointerType === "touch" : matchMedia("(pointer: coarse)").matches;
}

function announce(board, text) {
  board.querySelector(".message").textContent = text;
}

// Put a new picture in the place of the old one, with the focus on the same cell.
function setPicture(board, picture) {
  const position = board.querySelector(".position");
  const focused = position.contains(document.activeElement) ? nameOf(document.activeElement) : "";
  position.innerHTML = picture;
  const cell = focused && findCell(board, focused);
  if (cell) goTo(cell);
}

async function answer(board, about, cell) {
  if (board.dataset.check) {
    send(board, { about, cell });
    return;
  }
  if (!board.dataset.about) return;
  const response = await fetch(`${board.dataset.about}${new URLSearchParams({ about, cell })}`);
  if (response.ok) announce(board, (await response.json()).message);
}

// --- a replay ---------------------------------------------------------------------------------
let showing = null;

async function show(board, address) {
  showing?.abort();
  showing = new AbortController();
  let text;
  try {
    const response = await fetch(address, { signal: showing.signal });
    text = response.ok ? await response.text() : "";
  } catch { return; }
  const fresh = new DOMParser().parseFromString(text, "text/html").getElementById(board.id);
  if (!fresh) return location.assign(address);
  const focused = document.activeElement.id;
  setPicture(board, fresh.querySelector(".position").innerHTML);
  for (const part of [".steps", ".seats-of-position", ".moves ol", ".slider label"]) {
    board.querySelector(part).replaceWith(fresh.querySelector(part));
  }
  board.dataset.about = fresh.dataset.about;
  announce(board, fresh.querySelector(".message").textContent);
  history.replaceState(null, "", address);
  if (focused) document.getElementById(focused)?.focus();
}

// The slider is set at once, so that fast keys add up.
function showPly(board, relation) {
  const slider = part(board, "#ply"), form = slider.form;
  const ply = relation ? PLIES[relation](Number(slider.value), Number(slider.max)) : slider.value;
  slider.value = ply;
  const flags = new URLSearchParams(new FormData(form));
  flags.delete("ply");
  const query = flags.toString();
  show(board, `${form.action}/${slider.value}${query && "?"}${query}`);
}

// A turn each second, until the end, or until somebody steps or presses again.
let playing = 0;

function stopPlaying() {
  clearInterval(playing);
  for (const button of document.querySelectorAll('[data-step="play"]')) button.setAttribute("aria-pressed", "false");
}

function togglePlaying(board, button) {
  const slider = part(board, "#ply"), isPlaying = button.getAttribute("aria-pressed") === "true";
  stopPlaying();
  if (isPlaying) return;
  if (slider.value === slider.max) slider.value = -1;
  button.setAttribute("aria-pressed", "true");
  const playOn = () => (slider.value === slider.max ? stopPlaying() : showPly(board, "next"));
  playOn();
  playing = setInterval(playOn, 1000);
}

// --- a record that is entered -----------------------------------------------------------------
// One request after the other, so that each turn adds to the record of the one before.
let queue = Promise.resolve();

function send(board, fields) {
  if (board.dataset.keeps) return keep(board, fields);
  queue = queue.then(() => exchange(board, fields)).catch(() => fail(board));
}

function fail(board) {
  part(board, ".wrong-turn").textContent = board.dataset.failed;
}

function request(board, fields) {
  const body = new FormData(), token = board.closest("form").elements.csrfmiddlewaretoken.value;
  body.set("names", part(board, ".with-names")?.checked ? "1" : "");
  for (const [name, value] of Object.entries(fields)) body.set(name, value);
  // Not as a field: with one, the same form again gets the answer of the first.
  return fetch(addressOf(board), { method: "POST", body, headers: { "X-CSRFToken": token } });
}

async function exchange(board, fields) {
  const record = part(board, "textarea").value;
  const response = await request(board, { record, begun: board.dataset.begun ?? "", ...fields });
  if (response.ok) apply(board, await response.json(), record);
  else fail(board);
}

function apply(board, answer, typed) {
  announce(board, answer.message);
  if (answer.record === undefined) return;
  const textarea = part(board, "textarea");
  // What was typed meanwhile stays, and is checked next.
  if (textarea.value === typed && typed !== answer.record) textarea.value = answer.record;
  if (answer.svg) setPicture(board, answer.svg);
  board.dataset.begun = answer.begun;
  const chosen = answer.begun && findCell(board, answer.begun.match(/[*\w]+/)[0]);
  if (chosen) chosen.classList.add("begun");
  part(board, ".wrong-turn").textContent = answer.error;
  part(board, ".state-of-game").textContent = answer.state;
  for (const button of board.querySelectorAll("[data-word]")) {
    button.disabled = !answer.words.includes(button.dataset.word);
  }
}

// --- a record that is kept on the server -------------------------------------------------------
// What is entered stays in the browser until the server has it, and is sent in its order. The number
// of the turn goes with it from the first attempt, so that nothing is entered twice.
const WAIT = 2000; // milliseconds to the next attempt
let attempt = 0;
const addressOf = (board) => board.dataset.check ?? location.pathname; // nothing is entered in the other's turn
// What is stored belongs to the login that entered it: others may use the device.
const nameOfStored = (kind, address) => `${kind} ${document.body.dataset.reader ?? ""} ${address}`;
const storeOf = (board) => nameOfStored("record", addressOf(board));
const stored = (name) => JSON.parse(localStorage.getItem(name) ?? "[]");
const unsent = (board) => stored(storeOf(board));
const turnOf = ({ about, begun, cell, words }) => about ? "" : cell ? `${begun ?? ""}${cell}` : words;
const turnsOf = (entries) => entries.map(turnOf).filter(Boolean).join(" ");

// Whether somebody resigns is asked below the board: a word, typed or tapped, ends no game.
function askToResign() {
  const question = document.getElementById("resign");
  question.open = true;
  part(question, "button").focus();
}

function keep(board, fields) {
  if (/(^|\s)resign\s*$/i.test(fields.words ?? "") && document.getElementById("resign")) {
    fields = { words: fields.words.trim().slice(0, -"resign".length) };
    askToResign();
    if (!fields.words.trim()) return;
  }
  if (!fields.about && !Object.keys(fields).length) fields = { look: "1" };
  store(board, [...unsent(board), fields]);
  sendKept(board);
}

function store(board, entries) {
  if (entries.length) localStorage.setItem(storeOf(board), JSON.stringify(entries));
  else localStorage.removeItem(storeOf(board));
}

// What is refused stays to be read in this tab until a turn is entered, as the page may be loaded
// again; not where the turn stands meanwhile, or after the next one.
const REFUSED = nameOfStored("refused", location.pathname.replace(/\/live$/, ""));

function refuse(board, why) {
  const entries = unsent(board), turns = turnsOf(entries);
  const text = turns ? `${board.dataset.refused.replace("#", turns)} ${why}` : why;
  rememberRefused({ text, turn: turns.split(" ")[0].toLowerCase(), number: entries[0]?.number });
  store(board, []); // what follows a turn that was refused was meant for another position
  return text;
}

const rememberRefused = (refused) => sessionStorage.setItem(REFUSED, JSON.stringify(refused));

function turnsOnPage() {
  const text = document.querySelector("[data-keeps] textarea")?.value;
  if (text === undefined) return [...document.querySelectorAll(".moves a")].map((link) => link.textContent);
  return text.replace(/^\[.*$/gm, "").split(/\s+/).filter((word) => word && !/^\d+\.$/.test(word));
}

function showRefused() {
  const place = document.querySelector(".refused, .wrong-turn"), stored = sessionStorage.getItem(REFUSED);
  if (!place || !stored || place.matches(".wrong-turn:not(:empty)")) return;
  const refused = JSON.parse(stored), turns = turnsOnPage();
  refused.seen ??= turns.length;
  if (turns.length > refused.seen || (refused.turn && turns[refused.number - 1]?.toLowerCase() === refused.turn)) {
    sessionStorage.removeItem(REFUSED);
    return;
  }
  rememberRefused(refused);
  place.textContent = refused.text;
  place.hidden = false;
}

// A turn that is begun outlasts what loads the page again, as the answer to an offer does.
const BEGUN = nameOfStored("begun", location.pathname);

function rememberBegun({ number, begun }) {
  if (begun) sessionStorage.setItem(BEGUN, `${number} ${begun}`);
  else sessionStorage.removeItem(BEGUN);
}

function showBegun(board) {
  const [number, begun] = (sessionStorage.getItem(BEGUN) ?? "").split(" ");
  if (!board.dataset.check || number !== board.dataset.keeps || unsent(board).length) return;
  board.dataset.begun = begun;
  send(board, {});
}

async function sendKept(board) {
  if (board.dataset.sends) return;
  board.dataset.sends = "1";
  try {
    for (let entries = unsent(board); entries.length; entries = unsent(board)) {
      const [first, ...rest] = entries;
      if (first.number === undefined) {
        const last = first.undo ? 1 : 0;
        Object.assign(first, { entered: "1", number: board.dataset.keeps - last, begun: board.dataset.begun ?? "" });
        store(board, [first, ...rest]);
      }
      const response = await request(board, first);
      if (response.status >= 429) throw new Error(String(response.status));
      if (response.status === 401) return location.assign(board.dataset.over); // it says how to log in; sent after it
      if (!response.ok) {
        // The form may be too old, as after a login elsewhere: once more from the page as it is now.
        const isOld = response.status === 403 && !first.again;
        if (isOld) store(board, [{ ...first, again: "1" }, ...unsent(board).slice(1)]);
        const why = isOld ? "" : refuse(board, (await response.json().catch(() => ({}))).error ?? "");
        if (response.status !== 404) return loadAgain();
        part(board, ".wrong-turn").textContent = why; // a game that was withdrawn has no other page
        return;
      }
      const answer = await response.json(), record = part(board, "textarea").value;
      if (answer.error) answer.error = refuse(board, answer.error);
      else {
        store(board, unsent(board).slice(1));
        if (turnOf(first)) sessionStorage.removeItem(REFUSED);
      }
      apply(board, answer, record);
      if (answer.number) board.dataset.keeps = answer.number;
      const resign = document.getElementById("resign");
      if (resign && answer.number) part(resign, "[name=number]").value = answer.number;
      if (resign && answer.question) part(resign, ".question").textContent = answer.question;
      if (answer.record !== undefined) rememberBegun(answer);
      if (!answer.waits && answer.version > followed?.dataset.version) showOffers().catch(() => {});
      if (answer.over) location.assign(board.dataset.over);
      if (answer.waits && !unsent(board).length) return loadAgain();
    }
  } catch {
    part(board, ".wrong-turn").textContent = `${board.dataset.failed} ${turnsOf(unsent(board))}`;
    clearTimeout(attempt); // one for all that waits
    attempt = setTimeout(() => sendKept(board), WAIT);
  } finally {
    delete board.dataset.sends;
  }
}

function enterWords(board) {
  const input = part(board, ".words");
  const words = input.value;
  input.value = "";
  input.focus();
  if (words.trim()) send(board, { words });
}

// Where nothing can be taken back, a cell is confirmed whatever it was selected with.
const confirms = (board) => "confirms" in board.dataset;

// On a phone a cell is small: the nearest one is shown large, with its name, to be confirmed. A tap on
// what is shown there chooses another one.
const LARGE = 44; // pixels of a cell

function confirmCell(board, cell) {
  const panel = part(board, ".confirm"), zoom = part(board, ".zoom"), svg = cell.ownerSVGElement;
  const [x, y] = centreOf(cell), { x: left, y: top, width, height } = svg.viewBox.baseVal;
  svg.id ||= "board-picture";
  panel.hidden = false;
  const box = cell.getBBox(), scale = LARGE / Math.min(box.width, box.height);
  const across = zoom.clientWidth / scale, down = zoom.clientHeight / scale;
  zoom.setAttribute("viewBox", `${x - across / 2} ${y - down / 2} ${across} ${down}`);
  const attributes = { href: `#${svg.id}`, x: left, y: top, width, height };
  for (const [name, value] of Object.entries(attributes)) zoom.firstElementChild.setAttribute(name, value);
  for (const other of svg.querySelectorAll(".chosen")) other.classList.remove("chosen");
  cell.classList.add("chosen");
  part(board, ".cell-name").textContent = nameOf(cell);
  panel.dataset.cell = nameOf(cell);
  part(board, '[data-step="place"]').focus();
}

function step(board, name) {
  const panel = part(board, ".confirm");
  if (name === "play") togglePlaying(board, part(board, '[data-step="play"]'));
  else if (name === "undo") send(board, { undo: "1" });
  else if (name === "type") enterWords(board);
  else {
    panel.hidden = true;
    if (name === "place") send(board, { cell: panel.dataset.cell });
    else for (const cell of board.querySelectorAll(".chosen")) cell.classList.remove("chosen");
  }
}

// --- events -----------------------------------------------------------------------------------
document.addEventListener("click", (event) => {
  const board = boardOf(event.target);
  if (!board) return;
  const button = event.target.closest("button"), link = event.target.closest(".steps a, .moves a");
  const svg = event.target.closest("svg.board"), zoom = event.target.closest(".zoom");
  if (button?.dataset.step) {
    event.preventDefault();
    step(board, button.dataset.step);
  }
  else if (button?.dataset.word) {
    if (!confirms(board) || window.confirm(`${button.textContent.trim()}?`)) send(board, { words: button.dataset.word });
  }
  else if (link && part(board, "#ply") && !event.ctrlKey && !event.metaKey && !event.shiftKey) {
    event.preventDefault();
    stopPlaying();
    if (PLIES[link.rel]) showPly(board, link.rel);
    else {
      part(board, "#ply").value = link.pathname.split("/").pop();
      showPly(board);
    }
  } else if (zoom) confirmCell(board, nearestCell(part(board, "svg.board"), placeIn(zoom, event)));
  else if (svg && board.dataset.check && (confirms(board) || isTouch(event))) confirmCell(board, nearestCell(svg, placeIn(svg, event)));
  else if (svg && event.target.matches(CELL)) {
    goTo(event.target);
    if (board.dataset.check) send(board, { cell: nameOf(event.target) });
    else announce(board, event.target.getAttribute("aria-label"));
  }
});

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const { key, target } = event;
  const board = boardOf(target) ?? document.getElementById("replay");
  if (!board) return;
  if (target.matches(CELL) && onCell(board, target, key)) event.preventDefault();
  else if (target.matches(".goto input")) onGoTo(event, board);
  else if (target.matches(".words") && key === "Enter") {
    event.preventDefault();
    enterWords(board);
  } else if (STEPS[key] && !board.dataset.check && !target.matches("input, textarea, select")) {
    event.preventDefault();
    stopPlaying();
    if (part(board, "#ply")) showPly(board, STEPS[key]);
    else part(board, `.steps [rel=${STEPS[key]}]`)?.click();
  }
});

function onCell(board, cell, key) {
  if (ARROWS[key]) goTo(cellTowards(cell, ARROWS[key]));
  else if (QUESTIONS[key]) answer(board, QUESTIONS[key], nameOf(cell));
  else if (key === "l") {
    const last = findCell(board, cell.ownerSVGElement.dataset.last.split(" ")[0]);
    if (last) goTo(last);
  } else if (key === "g" && part(board, ".goto")) {
    const field = part(board, ".goto");
    field.hidden = false;
    field.dataset.from = nameOf(cell);
    part(field, "input").focus();
  } else if ((key === "Enter" || key === " ") && board.dataset.check) {
    if (confirms(board)) confirmCell(board, cell);
    else send(board, { cell: nameOf(cell) });
  }
  else if (key === "Enter" && part(board, ".choice")) {
    const link = part(board, `.choice[data-cell="${CSS.escape(nameOf(cell))}"]`);
    if (link) location.assign(`${link.getAttribute("href")}#${nameOf(cell)}`);
  } else return false;
  return true;
}

function onGoTo(event, board) {
  if (event.key !== "Enter" && event.key !== "Escape") return;
  event.preventDefault();
  const field = part(board, ".goto"), name = event.key === "Enter" ? event.target.value : field.dataset.from;
  const cell = findCell(board, name);
  if (!cell) return event.target.select();
  event.target.value = "";
  field.hidden = true;
  goTo(cell);
}

let pause = 0;
document.addEventListener("input", ({ target }) => {
  const board = boardOf(target);
  if (!board) return;
  if (target.matches(".slider input")) {
    if (target.id === "ply") stopPlaying();
    showPly(board);
  }
  else if (target.matches(".with-names")) send(board, {});
  else if (target.matches(".entry textarea")) {
    board.dataset.begun = "";
    clearTimeout(pause);
    pause = setTimeout(() => send(board, {}), 400);
  }
});
document.addEventListener("submit", (event) => {
  if (event.submitter?.name === "action") sessionStorage.removeItem(REFUSED);
  const board = event.target.closest("#resign") && part(document, "[data-keeps]");
  if (board && unsent(board).length) { // the turns that wait come first
    event.preventDefault();
    sendKept(board);
  }
  if (!event.target.matches(".slider")) return;
  event.preventDefault();
  showPly(boardOf(event.target));
});
for (const element of document.querySelectorAll(".replay .scripted, .slider button")) {
  element.hidden = element.matches("button:not(.scripted)");
}
// The cell that led to this page by Enter keeps the focus.
for (const board of document.querySelectorAll(".replay")) {
  const cell = findCell(board, location.hash.slice(1));
  if (cell) goTo(cell);
}
// A browser that returns to the page restores what was typed, but not the board.
window.addEventListener("pageshow", () => {
  for (const board of document.querySelectorAll("[data-keeps]")) {
    showBegun(board);
    if (unsent(board).length) sendKept(board);
  }
  for (const board of document.querySelectorAll(".entry:not([data-keeps])")) {
    const textarea = part(board, "textarea");
    if (textarea.value !== textarea.defaultValue) send(board, {});
  }
});

// What waits on this device is named where the game is, and what was refused where it was.
for (const note of document.querySelectorAll("[data-unsent]")) {
  // Who is logged out, or logged in as none of the players, reads that it waits for another login.
  const others = "others" in note.dataset ? Object.keys(localStorage).filter((key) => key.startsWith("record ") && key.endsWith(` ${note.dataset.unsent}`)) : [];
  const name = others[0] ?? nameOfStored("record", note.dataset.unsent), turns = turnsOf(stored(name));
  if (!turns) continue;
  note.textContent = note.dataset.text.replace("#", turns);
  note.hidden = false;
  if (!note.matches(".refused")) continue;
  rememberRefused({ text: note.textContent });
  localStorage.removeItem(name);
}
showRefused();

// --- a game that is being played ---------------------------------------------------------------
// Each event has all turns. Who looks at the last one sees the next; who walks back stays there.
const SPREAD = 800; // milliseconds in which all who follow ask for the next turn
let known = 0, shown = 0, looking = 0;

function lookOn(board) {
  const slider = part(board, "#ply"), isLast = slider.value === slider.max;
  looking = 0;
  shown = known;
  if (known <= slider.max) return;
  slider.max = known;
  if (isLast) showPly(board, "last");
}

// The page may be the answer to a form, which a reload would send again.
const loadAgain = () => location.replace(location.pathname + location.search);

// An offer is shown beside the board, so that a turn that is begun stays.
async function showOffers() {
  const response = await fetch(location.pathname), text = response.ok ? await response.text() : "";
  const fresh = new DOMParser().parseFromString(text, "text/html").getElementById("offers");
  if (fresh) document.getElementById("offers").replaceWith(fresh);
}

// A page with a version is that of a player, who is shown the next one; one with `keptAs` is where a
// record is kept.
function follow(address, version, keptAs) {
  const source = new EventSource(address);
  source.onmessage = ({ data }) => {
    const { type, data: live } = JSON.parse(data);
    if (keptAs) {
      if (live && live.kept_as !== keptAs) loadAgain(); // another device continues
      return;
    }
    if (version) {
      if (type !== "live.ended" && !(live?.version > version)) return;
      if (!type.startsWith("offer.") || live.next_number !== Number(part(document, "[data-keeps]").dataset.keeps)) return loadAgain();
      showOffers().then(() => { version = live.version; }, () => {}); // the stream sends it again
      return;
    }
    const board = document.getElementById("replay"), form = board && part(board, ".slider");
    const plies = live ? live.turns.length : 0;
    if (!board || !live || plies < form.ply.max) {
      if (form?.ply.value > plies) location.replace(form.action); // the address of a turn that is gone
      else if (type === "live.ended" || plies || board) loadAgain();
      return;
    }
    if (type === "live.ended") { // its last turn may be a word, which is no position
      source.close();
      const isLast = form.ply.value === form.ply.max;
      if (plies > shown) setTimeout(() => location.replace(isLast ? form.action : location.href), Math.random() * SPREAD);
      return;
    }
    known = plies;
    looking ||= setTimeout(() => lookOn(board), Math.random() * SPREAD);
  };
}

const followed = document.querySelector("[data-follow]");
if (followed) {
  shown = Number(followed.dataset.turns);
  follow(followed.dataset.follow, Number(followed.dataset.version), followed.dataset.keptAs);
}

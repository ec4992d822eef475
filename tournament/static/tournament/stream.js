// The pages of a running event: its event stream, and the clock of the round. A page looks again after
// each event of the stream; while there is no stream, every few seconds, as without one.
const IDLE = 60; // seconds between two looks while the stream is open: some changes are no events
const POLL = 30; // seconds between two looks of a page that does not say so itself
const RECONNECT = 5; // seconds after which a rejected connection is tried again, or up to twice that

// Call `look` after an event, at most `spread` seconds later so that not all pages ask at once.
// It returns the seconds to the next look without a stream.
export function follow(address, look, spread) {
  let source = null;
  let timer = null;
  let dueAt = Infinity;
  let isLooking = false;
  let retry = null;

  function lookWithin(seconds) {
    const at = Date.now() + seconds * 1000;
    if (at >= dueAt) return;
    dueAt = at;
    clearTimeout(timer);
    timer = setTimeout(lookNow, seconds * 1000);
  }

  async function lookNow() {
    dueAt = Infinity;
    if (isLooking) { lookWithin(1); return; }
    isLooking = true;
    const poll = await look();
    isLooking = false;
    if (!document.hidden) lookWithin(document.body.dataset.stream === "open" ? IDLE : poll ?? POLL);
  }

  function connect() {
    clearTimeout(retry);
    source?.close();
    source = new EventSource(address);
    source.onopen = () => { document.body.dataset.stream = "open"; lookWithin(Math.random() * spread); };
    source.onmessage = ({ data }) => { if (!data.startsWith('{"type":"live.')) lookWithin(Math.random() * spread); };
    source.addEventListener("live", ({ data }) => { // for boards.js
      document.dispatchEvent(new CustomEvent("live", { detail: JSON.parse(data) }));
      if (!document.getElementById("live-boards")) lookWithin(Math.random() * spread); // it says whose turn it is
    });
    source.addEventListener("closed", () => disconnect());
    source.onerror = () => {
      document.body.dataset.stream = "lost";
      lookWithin(Math.random() * 2);
      if (source.readyState === EventSource.CLOSED) {
        retry = setTimeout(connect, (1 + Math.random()) * RECONNECT * 1000);
      }
    };
  }

  function disconnect() {
    document.body.dataset.stream = "lost";
    source.close();
    clearTimeout(retry);
    lookWithin(0);
  }

  // A hidden page has no stream: a browser opens only six connections to a host.
  document.addEventListener("visibilitychange", () => {
    if (document.hidden) { disconnect(); clearTimeout(timer); dueAt = Infinity; } else { connect(); lookWithin(0); }
  });
  if (!document.hidden) connect();
}

// Say since when there is no connection; an empty text while there is one.
let lostSince = "";
export function showLost(isLost) {
  const lost = document.getElementById("lost");
  if (isLost && !lostSince) {
    lostSince = new Date().toLocaleTimeString(document.documentElement.lang, { timeStyle: "short" });
  }
  if (!isLost) lostSince = "";
  lost.textContent = isLost ? `${lost.dataset.text} ${lostSince}` : "";
}

// Parts of a page that change have an id and `data-live`. In a table only the cells that differ are
// replaced, so that its order and the focus stay; a part of another state (`data-of`) is replaced as a
// whole, so that no page mixes two rounds, but not while somebody fills in its form. One without a table
// and of the same state stays: the clock of a round goes on by itself.
function replaceCells(old, fresh) {
  const rows = [...old.querySelectorAll("tbody tr")];
  const freshRows = [...fresh.querySelectorAll("tbody tr")];
  if (!rows.length && !freshRows.length && old.dataset.of && old.dataset.of === fresh.dataset.of) return;
  if (!rows.length || rows.length !== freshRows.length || old.dataset.of !== fresh.dataset.of) {
    if (textOf(old) === textOf(fresh) || isFilledIn(old)) return;
    if (fresh.dataset.of) old.dataset.of = fresh.dataset.of;
    old.replaceChildren(...document.importNode(fresh, true).childNodes);
    old.dispatchEvent(new Event("replaced", { bubbles: true }));
    return;
  }
  for (const row of rows) {
    const freshRow = freshRows[Number(row.dataset.row)];
    row.className = freshRow.className;
    [...row.cells].forEach((cell, column) => {
      const isSame = cell.innerHTML === freshRow.cells[column].innerHTML;
      if (!isSame && !cell.contains(document.activeElement)) cell.innerHTML = freshRow.cells[column].innerHTML;
    });
  }
}

function textOf(part) {
  return part.innerHTML.replace(/("csrfmiddlewaretoken" value=")[^"]*/g, "$1");
}

function isFilledIn(part) {
  if (part.querySelector("form :focus")) return true;
  return [...part.querySelectorAll("form :is(input, select, textarea)")].some((field) => field.options
    ? field.selectedIndex !== Math.max(0, [...field.options].findIndex((option) => option.defaultSelected))
    : field.value !== field.defaultValue || field.checked !== field.defaultChecked);
}

function numberRows(parts) {
  for (const part of parts) [...part.querySelectorAll("tbody tr")].forEach((row, index) => { row.dataset.row = index; });
}

async function refreshParts() {
  try {
    const response = await fetch(location.href, { cache: "no-cache" });
    if (!response.ok) throw new Error(String(response.status));
    const page = new DOMParser().parseFromString(await response.text(), "text/html");
    const names = (root) => [...root.querySelectorAll("[data-live]")].map((part) => part.id).join(" ");
    if (names(page) !== names(document) && !isFilledIn(document) && !document.querySelector(".rejected")) {
      location.replace(location.pathname + location.search); // the event begins or ends: another page
      return;
    }
    for (const part of document.querySelectorAll("[data-live]")) {
      const fresh = page.getElementById(part.id);
      const count = part.querySelectorAll("tbody tr").length;
      if (fresh) replaceCells(part, fresh);
      if (part.querySelectorAll("tbody tr").length !== count) numberRows([part]);
    }
    showLost(false);
  } catch {
    showLost(true);
  }
}

const followed = document.querySelector("[data-live-events]");
if (followed) {
  numberRows(document.querySelectorAll("[data-live]"));
  follow(followed.dataset.liveEvents, refreshParts, 2);
}

// For how many minutes the round has been played, or when it begins.
const DAY = 24 * 60; // minutes; a league has longer rounds, for which only the date is of use

export function showElapsed() {
  for (const clock of document.querySelectorAll(".elapsed")) {
    const minutes = Math.floor((Date.now() - new Date(clock.dataset.start)) / 60000);
    const text = minutes < 0 ? clock.dataset.until : clock.dataset.since;
    const label = Math.abs(minutes) < DAY ? text.replace("#", Math.abs(minutes)) : clock.dataset.day ?? "";
    if (clock.textContent !== label) clock.textContent = label;
  }
}

showElapsed();
setInterval(showElapsed, 1000);

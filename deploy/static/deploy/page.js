// What every page has with scripts: tables sorted by a column, local times, and a lost connection.
const TEXT = new Intl.Collator(document.documentElement.lang, { numeric: true });

function sortValue(row, column) {
  const cell = row.cells[column];
  return cell ? cell.dataset.sort ?? cell.textContent.trim() : "";
}

function numberIn(text) {
  return Number(/^-?\d+,\d+$/.test(text) ? text.replace(",", ".") : text);
}

function compareValues(a, b) {
  const difference = a && b ? numberIn(a) - numberIn(b) : Number.NaN;
  return Number.isNaN(difference) ? TEXT.compare(a, b) : difference;
}

function sortBy(table, column, heading) {
  const descending = heading.getAttribute("aria-sort") === "ascending";
  for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
  heading.setAttribute("aria-sort", descending ? "descending" : "ascending");
  for (const body of table.tBodies) {
    const rows = [...body.rows];
    rows.sort((a, b) => compareValues(sortValue(a, column), sortValue(b, column)));
    body.append(...(descending ? rows.reverse() : rows));
  }
}

function makeSortable(root) {
  for (const table of root.querySelectorAll("table.sortable")) {
    [...table.tHead.rows[0].cells].forEach((heading, column) => {
      if (!heading.textContent.trim() || heading.querySelector("a, button")) return;
      const button = document.createElement("button");
      button.className = "sort";
      button.type = "button";
      button.append(...heading.childNodes);
      heading.append(button);
      button.addEventListener("click", () => sortBy(table, column, heading));
    });
  }
}

// The page has the time at the place of the event; the reader's is put next to it if it differs.
const DAY_FORMAT = { year: "numeric", month: "short", day: "numeric" };
const TIME_FORMAT = { hour: "2-digit", minute: "2-digit" };
const YOUR_TIME = { de: "Ihrer Zeit", fr: "chez vous" }[document.documentElement.lang.slice(0, 2)] ?? "your time";

function formatMoment(moment, options) {
  return new Intl.DateTimeFormat(document.documentElement.lang, options).format(moment);
}

function addOwnTime(time) {
  const moment = new Date(time.dateTime), zone = { timeZone: time.dataset.zone };
  if (formatMoment(moment, { ...DAY_FORMAT, ...TIME_FORMAT }) ===
      formatMoment(moment, { ...DAY_FORMAT, ...TIME_FORMAT, ...zone })) return;
  const isSameDay = formatMoment(moment, DAY_FORMAT) === formatMoment(moment, { ...DAY_FORMAT, ...zone });
  const own = { ...(isSameDay ? {} : DAY_FORMAT), ...TIME_FORMAT };
  time.append(` (${formatMoment(moment, own)} ${YOUR_TIME})`);
}

function showOwnTimes(root) {
  // A time that belongs to no event is that at the site; the reader's own replaces it.
  for (const time of root.querySelectorAll("time[data-own]")) {
    time.textContent = formatMoment(new Date(time.dateTime), { ...DAY_FORMAT, ...TIME_FORMAT });
  }
  for (const time of root.querySelectorAll("time[data-zone][datetime*='T']")) {
    try {
      addOwnTime(time);
    } catch { /* a zone that the browser does not know: the text of the page stays */ }
  }
}

// stream.js replaces parts of a page.
for (const begin of [makeSortable, showOwnTimes]) {
  begin(document);
  document.addEventListener("replaced", (event) => begin(event.target));
}

// A new event is where its director is, until they choose another time zone.
const zone = document.querySelector("body[data-fresh] form[action='/new'] select[name=time_zone]");
const ownZone = Intl.DateTimeFormat().resolvedOptions().timeZone;
if (zone && [...zone.options].some((option) => option.value === ownZone)) zone.value = ownZone;

// A form is not sent while there is no connection, so what was typed stays in it.
const offline = document.createElement("p");
offline.id = "offline";
offline.setAttribute("role", "alert");
offline.hidden = true;
document.body.append(offline);
const OFFLINE = { de: "Keine Verbindung: die Eingaben bleiben stehen.", fr: "Pas de connexion : la saisie est conservée." };
function showConnection() {
  offline.hidden = navigator.onLine;
  offline.textContent = navigator.onLine ? "" :
    OFFLINE[document.documentElement.lang.slice(0, 2)] ?? "No connection: what you have typed stays on the page.";
}
window.addEventListener("online", showConnection);
window.addEventListener("offline", showConnection);
document.addEventListener("submit", (event) => {
  if (!navigator.onLine) { event.preventDefault(); showConnection(); }
});
showConnection();
// A page from the history of the browser may be out of date: it is loaded again, unless something
// is typed in it.
function isTyped(control) {
  if (control.type === "checkbox" || control.type === "radio") return control.checked !== control.defaultChecked;
  if (control.tagName !== "SELECT") return control.type !== "hidden" && control.value !== control.defaultValue;
  return [...control.options].some((option) => option.selected && !option.defaultSelected && option.index > 0);
}
window.addEventListener("pageshow", (event) => {
  const isFromHistory = event.persisted || performance.getEntriesByType("navigation")[0]?.type === "back_forward";
  const controls = document.querySelectorAll("main :is(input, textarea, select)");
  if (isFromHistory && "fresh" in document.body.dataset && ![...controls].some(isTyped)) location.reload();
});

for (const copied of document.querySelectorAll("input.copied")) copied.addEventListener("focus", () => copied.select());
for (const summary of document.querySelectorAll("[role=alert][autofocus]")) summary.focus();

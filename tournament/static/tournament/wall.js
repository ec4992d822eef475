// The wall view: shows one page of one table after the other, and loads the tables again in the
// background when the state of the event has changed (stream.js). ?seconds= is the time of a page.
import { follow, showElapsed, showLost } from "./stream.js";

const main = document.getElementById("content");
const parameters = new URLSearchParams(location.search);
const SECONDS = Math.min(600, Math.max(3, Number(parameters.get("seconds")) || 12));
const SIZES = ["huge", "larger", "large", ""]; // classes of the letters; the first with which a table fits
const WIDE = 1000; // pixels from which lists have two columns
const WANTED = (parameters.get("show") || "").split(",").filter(Boolean);
const isSmall = matchMedia("(max-width: 40rem)");

const live = document.getElementById("live-boards"); // boards.js keeps it up to date
let sections = [];
let place = { name: "", page: 0 };
let shownAt = Date.now();
let isPaused = false;

// The rows stay here; the page shows a part of them.
function readSections(root, isUpdate) {
  const before = new Set(sections.flatMap((section) => section.rows.map((row) => row.innerHTML)));
  const all = [...root.querySelectorAll("main > section:not(#live-boards)")];
  const wanted = all.filter((section) => WANTED.includes(section.id));
  const isLiveWanted = live !== null && WANTED.includes(live.id);
  const found = wanted.length || isLiveWanted ? wanted : all;
  sections = found.map((section) => ({
    name: section.id,
    title: section.querySelector("h2").firstChild.textContent.trim(),
    head: section.querySelector("thead")?.innerHTML ?? "",
    rows: [...section.querySelectorAll("tbody tr")].map((row) => document.importNode(row, true)),
  }));
  if (live && (found === all || isLiveWanted)) sections.push({ name: live.id, rows: [], element: live });
  for (const section of sections) {
    for (const row of section.rows) row.classList.toggle("new", isUpdate && !before.has(row.innerHTML));
  }
}

function buildSection(section, rows, columns, label) {
  if (section.element) return section.element;
  const element = document.createElement("section");
  element.id = section.name;
  const heading = document.createElement("h2");
  heading.textContent = label ? `${section.title} ${label}` : section.title;
  const tables = document.createElement("div");
  tables.className = "tables";
  tables.tabIndex = 0; // on a phone it scrolls
  const height = Math.ceil(rows.length / columns);
  for (let start = 0; section.head && (start < rows.length || start === 0); start += height || 1) {
    const table = document.createElement("table");
    table.innerHTML = `<thead>${section.head}</thead><tbody></tbody>`;
    table.tBodies[0].append(...rows.slice(start, start + height));
    tables.append(table);
  }
  element.append(heading, tables);
  return element;
}

// The number of rows that fit in a column, from the height of one row of this table.
function rowsThatFit(section) {
  const probe = buildSection(section, section.rows.slice(0, 1), 1, "1/1");
  main.replaceChildren(probe);
  const row = probe.querySelector("tbody tr");
  if (!row) return 1;
  const free = main.clientHeight - (row.getBoundingClientRect().top - main.getBoundingClientRect().top);
  return Math.max(1, Math.floor(free / row.getBoundingClientRect().height));
}

function show() {
  if (isSmall.matches) {
    main.replaceChildren(...sections.map((section) => buildSection(section, section.rows, 1, "")));
    return;
  }
  const shown = shownSections(), section = shown.find((one) => one.name === place.name) ?? shown[0] ?? sections[0];
  if (section.element) {
    main.className = "";
    place = { name: section.name, page: 0, pages: 1 };
    main.replaceChildren(section.element);
    return;
  }
  for (const letters of SIZES) {
    main.className = letters;
    showPage(section);
    if (place.pages === 1 && !isCut()) return;
  }
}

function shownSections() {
  return sections.filter((section) => !section.element?.hidden);
}

function isCut() {
  return [...main.querySelectorAll("td")].some((cell) => cell.scrollWidth > cell.clientWidth);
}

function showPage(section) {
  const inColumn = rowsThatFit(section);
  const isWide = section.name !== "boards" && innerWidth >= WIDE && section.rows.length > inColumn;
  const columns = isWide ? 2 : 1, size = inColumn * columns;
  const pages = Math.max(1, Math.ceil(section.rows.length / size));
  const page = Math.min(place.page, pages - 1);
  const rows = section.rows.slice(page * size, (page + 1) * size);
  place = { name: section.name, page, pages };
  main.replaceChildren(buildSection(section, rows, columns, pages > 1 ? `${page + 1}/${pages}` : ""));
}

function turn(step) {
  const shown = shownSections();
  const index = Math.max(0, shown.findIndex((one) => one.name === place.name));
  const page = place.page + step;
  if (page >= 0 && page < place.pages) place.page = page;
  else {
    const next = shown[(index + step + shown.length) % shown.length];
    place = { name: next.name, page: step > 0 ? 0 : Number.MAX_SAFE_INTEGER };
  }
  shownAt = Date.now();
  show();
}

function showTime() {
  const clock = document.getElementById("clock");
  const options = { hour: "2-digit", minute: "2-digit", timeZone: clock.dataset.zone };
  const text = new Intl.DateTimeFormat(document.documentElement.lang, options).format(new Date());
  if (clock.textContent !== text) clock.textContent = text;
}

async function refresh() {
  const response = await fetch(location.href, { cache: "no-store" });
  if (!response.ok) throw new Error(String(response.status));
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  for (const name of ["round", "announced"]) {
    document.getElementById(name).replaceWith(document.importNode(page.getElementById(name), true));
  }
  showElapsed();
  readSections(page, true);
  main.dataset.version = page.getElementById("content").dataset.version;
  show();
}

// Look whether something has changed; return the seconds to the next look without a stream.
async function watch() {
  let poll = 5;
  try {
    const headers = { "If-None-Match": main.dataset.version };
    const response = await fetch(main.dataset.state, { cache: "no-store", headers });
    if (response.status !== 304) {
      if (!response.ok) throw new Error(String(response.status));
      const state = await response.json();
      poll = state.poll;
      if (state.version !== main.dataset.version) await refresh();
    }
    showLost(false);
  } catch {
    showLost(true);
  }
  return poll;
}

document.body.classList.add("live");
readSections(document, false);
show();
showTime();
setInterval(() => {
  showTime();
  if (!isPaused && !isSmall.matches && Date.now() - shownAt >= SECONDS * 1000) turn(1);
}, 1000);
addEventListener("resize", show);
addEventListener("boards", () => { if (isSmall.matches || place.name === live.id) show(); });
const pause = document.getElementById("pause");
for (const [id, action] of [
  ["back", () => turn(-1)],
  ["next", () => turn(1)],
  ["pause", () => { isPaused = !isPaused; pause.setAttribute("aria-pressed", String(isPaused)); }],
]) {
  const button = document.getElementById(id);
  button.hidden = false;
  button.addEventListener("click", action);
}
document.addEventListener("keydown", (event) => {
  if (event.target.closest("button, a")) return;
  if (event.key === "ArrowRight") turn(1);
  if (event.key === "ArrowLeft") turn(-1);
  if (event.key === " ") { event.preventDefault(); pause.click(); }
});
follow(main.dataset.events, watch, 0.3);

// The boards that are being played. The stream of the event says which they are, and the version of
// each (stream.js sends it on as the event `live`); a board is loaded from an address with its version.
const SPREAD = 1000; // milliseconds in which all who follow ask for a new version

const section = document.getElementById("live-boards");
const list = section?.querySelector(".live-boards");
let versions = {};
let timer = 0;

const find = (game) => list.querySelector(`[data-game="${game}"]`);
const focused = (board) => board?.contains(document.activeElement);

async function load(game) {
  const response = await fetch(`${section.dataset.address}/${game}/${versions[game]}`);
  if (!response.ok) return;
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  const fresh = page.querySelector(".live-board"), old = find(game);
  if (!fresh || !versions[game]) return;
  const isFocused = focused(old);
  if (old) old.replaceWith(fresh);
  else list.insertBefore(fresh, [...list.children].find((board) => Number(board.dataset.game) > game) ?? null);
  if (isFocused) fresh.querySelector("a").focus();
}

async function update() {
  const games = Object.keys(versions).map(Number).slice(0, section.dataset.most); // ascending
  for (const board of [...list.children]) {
    if (!games.includes(Number(board.dataset.game)) && !focused(board)) board.remove();
  }
  const old = games.filter((game) => !(Number(find(game)?.dataset.version) >= versions[game]));
  await Promise.allSettled(old.map(load)); // without a network the next event tries again
  if (section.hidden !== !list.children.length) {
    section.hidden = !list.children.length;
    section.dispatchEvent(new Event("boards", { bubbles: true }));
  }
}

if (section) {
  document.addEventListener("live", ({ detail }) => {
    versions = detail.complete ? detail.versions : { ...versions, ...detail.versions };
    versions = Object.fromEntries(Object.entries(versions).filter(([, version]) => version));
    timer ||= setTimeout(() => { timer = 0; update(); }, Math.random() * SPREAD);
  });
}

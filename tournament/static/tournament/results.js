// The form "by keyboard" is sent without loading the page: the focus stays, changed rows are replaced.
const entry = document.getElementById("entry");
const line = document.getElementById("field-line");
const answer = document.getElementById("answer");

function showMessage(node) {
  document.querySelector("main > .done")?.remove();
  answer.replaceChildren(...(node ? [node] : []));
  if (node?.matches(".rejected")) answer.scrollIntoView({ block: "nearest" });
}

function takeOver(page) {
  for (const id of ["missing", "last", "accepted"]) document.getElementById(id).replaceWith(page.getElementById(id) ?? "");
  for (const fresh of page.querySelectorAll(".event [data-live]")) document.getElementById(fresh.id)?.replaceWith(fresh);
  for (const row of page.querySelectorAll("#boards tbody tr")) {
    const old = document.getElementById(row.id);
    if (old && old.outerHTML !== row.outerHTML) old.replaceWith(row);  // what is typed elsewhere stays
  }
  if (!page.getElementById("typed")) document.getElementById("typed")?.remove();  // no box is left
}

async function send(event) {
  if (!navigator.onLine) return;  // page.js says so
  event.preventDefault();
  const body = new FormData(entry);
  body.set("action", "line");
  line.readOnly = true;
  try {
    const response = await fetch(location.pathname, { method: "POST", body });
    const page = new DOMParser().parseFromString(await response.text(), "text/html");
    if (!page.getElementById("boards")) { location.assign(response.url); return; }
    takeOver(page);
    entry.elements.csrfmiddlewaretoken.value = page.querySelector("#entry [name=csrfmiddlewaretoken]").value;  // the next line is another write
    showMessage(page.querySelector("main .rejected, main > .done"));
    if (response.ok) line.value = "";
  } catch {
    const message = document.createElement("p");
    message.className = "rejected";
    message.setAttribute("role", "alert");
    message.textContent = entry.dataset.unreachable;
    showMessage(message);
  }
  line.readOnly = false;
  line.focus();
  line.select();
}

if (entry) entry.addEventListener("submit", send);

// The clock of a round: for how many minutes it has been played, or when it begins.
"use strict";

const DAY = 24 * 60; // minutes; a league has longer rounds, for which only the date is of use

function showElapsed() {
  for (const clock of document.querySelectorAll(".elapsed")) {
    const minutes = Math.floor((Date.now() - new Date(clock.dataset.start)) / 60000);
    const text = minutes < 0 ? clock.dataset.until : clock.dataset.since;
    const label = Math.abs(minutes) < DAY ? text.replace("#", Math.abs(minutes)) : "";
    if (clock.textContent !== label) clock.textContent = label;
  }
}

showElapsed();
setInterval(showElapsed, 1000);

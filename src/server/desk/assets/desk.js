// Replaces the words of decisions that move, in place, and says when the desk cannot be reached. Without it a reload does the same.
const offline = document.getElementById("offline");
const told = document.getElementById("told");
const shownAt = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit", timeZone: "UTC", timeZoneName: "short" });

function looking() {
  return [...document.querySelectorAll("[data-look]")];
}

function replaceLine(id, line) {
  const place = document.getElementById(id);
  if (place === null) return false;
  const words = place.querySelector("[data-words]");
  const detail = place.querySelector("[data-detail]");
  const isChanged = words.textContent !== line.words || (detail !== null && detail.textContent !== line.detail);
  words.textContent = line.words;
  if (detail !== null) detail.textContent = line.detail;
  const mark = place.querySelector("svg");
  mark.setAttribute("class", `mark tone-${line.tone}`);
  mark.querySelector("use").setAttribute("href", `#mark-${line.mark}`);
  return isChanged;
}

function show(item) {
  for (const place of document.querySelectorAll(`[data-look="${item.id}"]`)) {
    if (item.againMs === null) place.removeAttribute("data-look");
    else place.setAttribute("data-again", String(item.againMs));
  }
  for (const [id, line] of Object.entries(item.lines)) {
    if (replaceLine(id, line) && id.startsWith("state-")) told.textContent = `${line.words} ${line.detail}`;
  }
}

function setReached(isReached) {
  if (!isReached && offline.hidden) offline.querySelector("[data-at]").textContent = shownAt.format(new Date());
  offline.hidden = isReached;
  for (const button of document.querySelectorAll("[data-needs-desk]")) button.disabled = !isReached;
}

async function look() {
  const ids = [...new Set(looking().map((place) => place.dataset.look))].slice(0, 20);
  if (ids.length === 0) return;
  if (!document.hidden) {
    try {
      const response = await fetch(`/states?${new URLSearchParams(ids.map((id) => ["id", id]))}`, {
        headers: { accept: "application/json" },
      });
      if (response.status === 401) return location.reload();
      if (!response.ok) throw new Error(String(response.status));
      for (const item of (await response.json()).items) show(item);
      setReached(true);
    } catch {
      setReached(false);
    }
  }
  later();
}

function later() {
  const soonest = Math.min(...looking().map((place) => Number(place.dataset.again)));
  if (Number.isFinite(soonest)) setTimeout(look, Math.max(500, soonest));
}

for (const form of document.querySelectorAll("form")) {
  form.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && form.classList.contains("ask")) form.requestSubmit();
  });
}
later();

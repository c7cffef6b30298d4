// app.js - the interactive part: what is in view, and what keys and pointers do to it.

const GUTTER = 34, AXIS = 20, SCHEDULER_HEIGHT = 14, FEWEST_CYCLES = 10;

function makeApp(data, root) {
  const app = {
    data, root, view: { from: 0, to: 1 }, shown: [0, data.runs.length > 1 ? 1 : -1], sm: 0,
    panels: [], canvases: [], overviews: [], cursor: null, only: new Set(), look: null, opener: null,
  };
  app.wide = window.matchMedia("(min-width: 40.01rem)");
  return app;
}

// The more warps, the lower their rows.
function rowHeight(app) {
  const most = Math.max(1, ...app.panels.map((panel) => panel.rows.length));
  const room = app.wide.matches ? 480 : 360;
  return Math.min(16, Math.max(9, Math.floor(room / most)));
}

// The bounds of what can be in view: all recorded cycles of the runs that are shown.
function bounds(app) {
  const from = Math.min(...app.panels.map((panel) => panel.first));
  return { from, to: Math.max(from + 1, ...app.panels.map((panel) => panel.end)) };
}

function setView(app, from, to) {
  const limit = bounds(app), whole = Math.max(1, limit.to - limit.from);
  const span = Math.min(whole, Math.max(Math.min(FEWEST_CYCLES, whole), to - from));
  const middle = (from + to) / 2;
  const start = Math.min(Math.max(limit.from, middle - span / 2), limit.to - span);
  app.view = { from: start, to: start + span };
  redraw(app);
}

function zoom(app, factor, around) {
  const { from, to } = app.view;
  const at = around !== undefined ? around
    : app.cursor && app.cursor.cycle >= from && app.cursor.cycle < to ? app.cursor.cycle : (from + to) / 2;
  const span = Math.min((to - from) / factor, bounds(app).to - bounds(app).from);
  if (span < FEWEST_CYCLES && factor > 1) return;
  const start = at - (at - from) / (to - from) * span;
  setView(app, start, start + span);
}

function pan(app, part) {
  const span = app.view.to - app.view.from;
  setView(app, app.view.from + part * span, app.view.to + part * span);
}

// Drawing.

function scheduleDraw(app) {
  if (app.waiting) return;
  app.waiting = true;
  requestAnimationFrame(() => {
    app.waiting = false;
    draw(app);
  });
}

function redraw(app) {
  const { from, to } = app.view;
  app.where.textContent = "Cycles " + count(from) + " to " + count(to) + " (" + count(to - from) + ")";
  scheduleDraw(app);
}

function rowTop(app, panel, number) {
  const schedulers = panel.sm.schedulers.length;
  if (number < schedulers) return AXIS + number * (SCHEDULER_HEIGHT + 1);
  return AXIS + schedulers * (SCHEDULER_HEIGHT + 1) + 6 + (number - schedulers) * (rowHeight(app) + 1);
}

function drawPanel(app, panel, canvas, index) {
  const height = rowTop(app, panel, panel.rows.length) + 4;
  const { pen, width } = fitCanvas(canvas, height);
  const box = { x: GUTTER, y: 0, width: width - GUTTER, height };
  const dense = box.width / (app.view.to - app.view.from) < 1;
  paintAxis(pen, app.look, app.view, box);
  pen.textBaseline = "middle";
  panel.rows.forEach((row, i) => {
    box.y = rowTop(app, panel, i);
    box.height = row.scheduler ? SCHEDULER_HEIGHT : rowHeight(app);
    if (row.scheduler || row.number % 4 === 0) {
      pen.font = (row.scheduler ? "600 12px" : "11px") + " system-ui, sans-serif";
      pen.textAlign = "right";
      pen.fillStyle = app.look.colours.soft;
      pen.fillText(row.short, GUTTER - 6, box.y + box.height / 2 + 0.5);
    }
    (dense ? paintColumns : paintPieces)(pen, app.look, row, app.view, box);
  });
  drawCursor(app, pen, panel, index, { x: GUTTER, width: width - GUTTER, height });
}

// A line at the chosen cycle in every panel, a frame around the chosen piece.
function drawCursor(app, pen, panel, index, box) {
  const cursor = app.cursor;
  if (!cursor) return;
  const scale = box.width / (app.view.to - app.view.from);
  const at = (cycle) => box.x + Math.min(box.width, Math.max(0, (cycle - app.view.from) * scale));
  pen.fillStyle = app.look.colours.mark;
  if (cursor.cycle >= app.view.from && cursor.cycle < app.view.to)
    pen.fillRect(at(cursor.cycle), AXIS, 1, box.height - AXIS);
  if (cursor.panel !== index) return;
  const row = panel.rows[cursor.row], i = pieceAt(row, cursor.cycle);
  const y = rowTop(app, panel, cursor.row);
  const height = row.scheduler ? SCHEDULER_HEIGHT : rowHeight(app);
  pen.beginPath(); // a triangle in front of the row
  pen.moveTo(GUTTER - 5, y + height / 2 - 4);
  pen.lineTo(GUTTER, y + height / 2);
  pen.lineTo(GUTTER - 5, y + height / 2 + 4);
  pen.fill();
  if (i < 0) return;
  const x0 = at(row.starts[i]), x1 = Math.max(x0 + 3, at(row.starts[i + 1]));
  pen.lineWidth = 3;
  pen.strokeStyle = app.look.colours.bg;
  pen.strokeRect(x0 - 1, y - 1, x1 - x0 + 1, height + 2);
  pen.lineWidth = 1.5;
  pen.strokeStyle = app.look.colours.mark;
  pen.strokeRect(x0 - 1, y - 1, x1 - x0 + 1, height + 2);
}

function draw(app) {
  const last = Math.max(1, ...app.panels.map((panel) => panel.run.window.machine_end));
  app.panels.forEach((panel, i) => {
    paintOverview(app.overviews[i], app.look, app.data, panel.run, app.view, last);
    drawPanel(app, panel, app.canvases[i], i);
  });
  const target = app.cursor && app.panels[app.cursor.panel];
  if (app.pieces.open && target)
    app.pieces.lastChild.replaceChildren(
      rowTable(app.data, target, target.rows[app.cursor.row], app.view));
}

function readLook(app) {
  const colours = readColours(app.root);
  app.look = {
    colours,
    patterns: makePatterns(document.createElement("canvas").getContext("2d"), colours),
    shows: (name) => !app.only.size || app.only.has(name),
  };
}

// The chosen piece.

function choose(app, panel, row, cycle) {
  const target = app.panels[panel];
  const inside = Math.min(Math.max(cycle, target.first), target.end - 1e-6);
  app.cursor = { panel, row: Math.min(Math.max(row, 0), target.rows.length - 1), cycle: inside };
  const i = pieceAt(target.rows[app.cursor.row], inside);
  const state = i < 0 ? null : stateOf(app.data, target, target.rows[app.cursor.row], i);
  app.spoken.textContent = target.run.label + ", " + target.rows[app.cursor.row].name + ", cycle " +
    count(Math.floor(inside)) + ": " + (state ? state.label + (state.code ? ", PTX line " + state.code.line : "") : "nothing");
  scheduleDraw(app);
}

function currentPiece(app) {
  if (!app.cursor) return null;
  const panel = app.panels[app.cursor.panel], row = panel.rows[app.cursor.row];
  const i = pieceAt(row, app.cursor.cycle);
  return i < 0 ? null : { panel, row, i };
}

// To the piece before or after; it is brought into view.
function step(app, by) {
  const piece = currentPiece(app);
  if (!piece) return;
  const i = Math.min(Math.max(piece.i + by, 0), piece.row.n - 1);
  choose(app, app.cursor.panel, app.cursor.row, piece.row.starts[i]);
  if (app.cursor.cycle < app.view.from || app.cursor.cycle >= app.view.to) {
    const half = (app.view.to - app.view.from) / 2;
    setView(app, app.cursor.cycle - half, app.cursor.cycle + half);
  }
  if (!app.details.hidden) openDetails(app, false);
}

// The details stand at the bottom of the window: scroll if they cover the chosen row.
function uncover(app) {
  const { panel, row } = app.cursor;
  const y = app.canvases[panel].getBoundingClientRect().top + rowTop(app, app.panels[panel], row + 2);
  const top = app.details.getBoundingClientRect().top;
  if (y > top && app.canvases[panel].getBoundingClientRect().top < top) window.scrollBy(0, y - top);
}

function openDetails(app, focus) {
  const piece = currentPiece(app);
  if (!piece) return;
  const buttons = make("div", { class: "bar" },
    makeButton("\u25C0 Piece before", () => step(app, -1)), makeButton("Piece after \u25B6", () => step(app, 1)),
    makeButton("Zoom to it", () => {
      const from = piece.row.starts[piece.i], to = piece.row.starts[piece.i + 1];
      const room = Math.max(10, (to - from) / 2);
      setView(app, from - room, to + room);
    }));
  const active = document.activeElement;
  const kept = app.details.contains(active) ? active.textContent : null;
  app.details.replaceChildren(
    makeButton("Close", () => closeDetails(app), { class: "close", "aria-label": "Close the details" }),
    ...makeDetails(app.data, app.look, piece.panel, app.cursor.row, piece.i, buttons));
  app.details.hidden = false;
  if (focus) app.details.focus({ preventScroll: true });
  uncover(app);
  const again = [...app.details.querySelectorAll("button")].find((b) => b.textContent === kept);
  if (again) again.focus();
}

function closeDetails(app) {
  app.details.hidden = true;
  app.canvases[app.cursor ? app.cursor.panel : 0].focus();
}

// Keys and pointers.

function onKey(app, index, event) {
  const cursor = app.cursor && app.cursor.panel === index ? app.cursor : null;
  const middle = (app.view.from + app.view.to) / 2;
  const start = () => cursor || { row: app.panels[index].sm.schedulers.length, cycle: middle };
  const seen = () => {
    const cycle = start().cycle;
    return cycle >= app.view.from && cycle < app.view.to ? cycle : middle;
  };
  const move = (by) => choose(app, index, (cursor ? cursor.row + by : start().row), seen());
  const actions = {
    ArrowLeft: () => (event.shiftKey ? step(app, -1) : pan(app, -0.2)),
    ArrowRight: () => (event.shiftKey ? step(app, 1) : pan(app, 0.2)),
    ArrowUp: () => move(-1), ArrowDown: () => move(1),
    PageUp: () => move(-8), PageDown: () => move(8),
    "+": () => zoom(app, 1.6), "=": () => zoom(app, 1.6), "-": () => zoom(app, 1 / 1.6), "_": () => zoom(app, 1 / 1.6),
    "0": () => showWhole(app),
    Home: () => pan(app, -1e9), End: () => pan(app, 1e9),
    Enter: () => { choose(app, index, start().row, seen()); openDetails(app, true); },
    " ": () => { choose(app, index, start().row, seen()); openDetails(app, true); },
  };
  if (event.ctrlKey || event.metaKey || event.altKey || !actions[event.key]) return;
  event.preventDefault();
  actions[event.key]();
}

function showWhole(app) {
  const limit = bounds(app);
  setView(app, limit.from, limit.to);
}

function cycleAt(app, canvas, x) {
  const width = canvas.clientWidth - GUTTER;
  return app.view.from + (x - GUTTER) / width * (app.view.to - app.view.from);
}

function rowAt(app, panel, y) {
  let found = 0;
  while (found + 1 < panel.rows.length && rowTop(app, panel, found + 1) <= y) found++;
  return found;
}

function onHover(app, index, event) {
  const panel = app.panels[index], canvas = app.canvases[index];
  const number = rowAt(app, panel, event.offsetY), row = panel.rows[number];
  const cycle = cycleAt(app, canvas, event.offsetX), i = pieceAt(row, cycle);
  const state = i < 0 ? null : stateOf(app.data, panel, row, i);
  app.hover.textContent = state
    ? "Cycle " + count(Math.floor(cycle)) + ", " + row.name + ": " + state.label +
      (state.code ? ", line " + state.code.line + ": " + state.code.ptx : "")
    : "Cycle " + count(Math.floor(cycle)) + ", " + row.name;
}

// One pointer drags, two zoom; a press without movement chooses a piece.
function addPointers(app, canvas, index) {
  const down = new Map();
  let moved = false, spread = 0;
  canvas.addEventListener("pointerdown", (event) => {
    down.set(event.pointerId, event.offsetX);
    if (canvas.setPointerCapture) canvas.setPointerCapture(event.pointerId);
    moved = down.size > 1;
    const xs = [...down.values()];
    spread = xs.length === 2 ? Math.abs(xs[0] - xs[1]) : 0;
  });
  canvas.addEventListener("pointermove", (event) => {
    if (!down.has(event.pointerId)) return onHover(app, index, event);
    const before = down.get(event.pointerId), by = event.offsetX - before;
    if (!moved && Math.abs(by) < 4) return undefined;
    moved = true;
    down.set(event.pointerId, event.offsetX);
    if (down.size === 1) return pan(app, -by / (canvas.clientWidth - GUTTER));
    const xs = [...down.values()], now = Math.abs(xs[0] - xs[1]);
    if (spread > 10 && now > 10) zoom(app, now / spread, cycleAt(app, canvas, (xs[0] + xs[1]) / 2));
    spread = now;
    return undefined;
  });
  const up = (event) => {
    const chosen = down.has(event.pointerId) && !moved && event.type === "pointerup";
    down.delete(event.pointerId);
    if (!chosen || event.offsetX < 0) return;
    choose(app, index, rowAt(app, app.panels[index], event.offsetY),
      Math.max(app.view.from, cycleAt(app, canvas, event.offsetX)));
    openDetails(app, false);
  };
  canvas.addEventListener("pointerup", up);
  canvas.addEventListener("pointercancel", up);
  canvas.addEventListener("dblclick", (event) => zoom(app, 4, cycleAt(app, canvas, event.offsetX)));
  canvas.addEventListener("wheel", (event) => {
    if (!event.ctrlKey && !event.shiftKey) return;
    event.preventDefault();
    if (event.ctrlKey) zoom(app, event.deltaY < 0 ? 1.25 : 0.8, cycleAt(app, canvas, event.offsetX));
    else pan(app, Math.sign(event.deltaY || event.deltaX) * 0.1);
  }, { passive: false });
}

// The elements.

function makeCanvas(app, panel, index) {
  const canvas = make("canvas", {
    tabindex: "0", role: "application", "aria-roledescription": "timeline",
    "aria-label": "Warps of SM " + panel.sm.sm + " over time, " + panel.run.label +
      ". Arrow keys move, plus and minus zoom, Enter opens details; tables below hold the same.",
  });
  canvas.addEventListener("keydown", (event) => onKey(app, index, event));
  addPointers(app, canvas, index);
  app.canvases[index] = canvas;
  return canvas;
}

function makeOverview(app, panel, index) {
  const canvas = make("canvas", { role: "img", "aria-label":
    "Classes of the whole machine's cycles over the whole run, " + panel.run.label + "; a table below has the sums." });
  const go = (event) => {
    if (event.type === "pointermove" && !event.buttons) return;
    const last = Math.max(...app.panels.map((p) => p.run.window.machine_end));
    const at = event.offsetX / canvas.clientWidth * last, half = (app.view.to - app.view.from) / 2;
    setView(app, at - half, at + half);
  };
  canvas.addEventListener("pointerdown", go);
  canvas.addEventListener("pointermove", go);
  app.overviews[index] = canvas;
  return canvas;
}

function makePanelElement(app, panel, index) {
  const run = panel.run;
  return make("div", { class: "panel" },
    make("h3", {}, run.label, make("span", {}, count(run.elapsed_cycles) + " cycles on " + run.gpu +
      (run.status === "ok" ? "" : ", ended as " + run.status))),
    make("p", { class: "note" }, "The whole machine over the whole run, by class; the frame is what is in view."),
    make("div", { class: "plot" }, makeOverview(app, panel, index)),
    make("p", { class: "note" }, "SM " + panel.sm.sm + ": its schedulers (S0, S1, ...), then its warps by slot."),
    make("div", { class: "plot" }, makeCanvas(app, panel, index)));
}

function leftOut(app) {
  const list = [...app.data.missing];
  for (const { run } of app.panels) {
    const { first, end, full, machine_end: last } = run.window;
    const sms = run.sms.map((sm) => sm.sm).join(", ");
    if (first === end)
      list.push(run.label + ": no warps, because the run ended in cycle " + count(last) +
        ", before the cycles that --html-cycles chose.");
    else
      list.push(run.label + ": warps of SM " + sms + " of " + run.machine_sms + " SMs in cycles " + count(first) +
      " to " + count(end) + " of " + count(last) + (full ? ". The recording ended there because the page would grow too large" : "") +
      (end < last || first > 0 ? "; --html-cycles chooses others." : "."));
  }
  return make("ul", { class: "note" }, ...list.map((text) => make("li", {}, text)));
}

function makeLegend(app, title, words) {
  const legend = make("div", { class: "legend", role: "group", "aria-label": title + "; press one to see it alone" },
    make("span", { class: "soft" }, title));
  for (const word of words) {
    const button = make("button", { type: "button", "aria-pressed": String(app.only.has(word.name)),
      "data-name": word.name, title: word.help },
      makeSwatch(app.look, word.name), word.label);
    button.addEventListener("click", () => {
      if (!app.only.delete(word.name)) app.only.add(word.name);
      for (const other of app.root.querySelectorAll(".legend button"))
        other.setAttribute("aria-pressed", String(app.only.has(other.dataset.name)));
      scheduleDraw(app);
    });
    legend.append(button);
  }
  return legend;
}

function makeSelect(app, label, values, chosen, change) {
  const select = make("select", {}, ...values.map(([value, text]) =>
    make("option", { value: String(value), selected: value === chosen }, text)));
  select.addEventListener("change", () => {
    change(Number(select.value));
    build(app);
  });
  return make("label", {}, label, select);
}

function makeChoices(app) {
  const runs = app.data.runs.map((run, i) => [i, run.label]);
  const bar = make("div", { class: "bar" });
  if (runs.length > 2)
    bar.append(makeSelect(app, "First run", runs, app.shown[0], (i) => { app.shown[0] = i; }),
      makeSelect(app, "Second run", [[-1, "none"], ...runs], app.shown[1], (i) => { app.shown[1] = i; }));
  const sms = app.data.runs[app.shown[0]].sms;
  if (sms.length > 1)
    bar.append(makeSelect(app, "SM", sms.map((sm, i) => [i, String(sm.sm)]), app.sm, (i) => { app.sm = i; }));
  return bar.children.length ? bar : null;
}

function makeToolbar(app) {
  const beside = makeButton("Side by side", () => {
    app.beside = !app.beside;
    beside.setAttribute("aria-pressed", String(app.beside));
    app.panelBox.classList.toggle("beside", app.beside);
    scheduleDraw(app);
  }, { "aria-pressed": String(Boolean(app.beside)), class: "wide-only" });
  app.where = make("span", { class: "where" });
  return make("div", { class: "bar" },
    makeButton("\u2212", () => zoom(app, 1 / 1.6), { "aria-label": "Zoom out" }),
    makeButton("+", () => zoom(app, 1.6), { "aria-label": "Zoom in" }),
    makeButton("\u25C0", () => pan(app, -0.4), { "aria-label": "Earlier" }),
    makeButton("\u25B6", () => pan(app, 0.4), { "aria-label": "Later" }),
    makeButton("All", () => showWhole(app), { "aria-label": "All recorded cycles" }),
    app.panels.length > 1 ? beside : null, app.where);
}

function makeKeys() {
  const key = (...names) => names.flatMap((name, i) => [i ? " " : "", make("kbd", {}, name)]);
  const line = (keys, text) => make("li", {}, ...keys, " " + text);
  return make("details", { class: "keys" }, make("summary", {}, "Keys and gestures"), make("ul", {},
    line(key("\u2190", "\u2192"), "earlier and later"), line(key("+", "\u2212", "0"), "zoom in, zoom out, all cycles"),
    line(key("\u2191", "\u2193"), "choose a row"), line(key("Shift+\u2190", "Shift+\u2192"), "the piece before and after"),
    line(key("Enter"), "details of the chosen piece, "), line(key("Esc"), "closes them"),
    line(key("Home", "End"), "the first and the last cycles"),
    make("li", {}, "Drag to move; two fingers, or the wheel with Ctrl, zoom; click a piece for its details.")));
}

function makeTables(app) {
  const runs = app.panels.map((panel) => panel.run);
  const at = app.panels.map((panel) => "SM " + panel.sm.sm)[0];
  app.pieces = make("details", {}, make("summary", {}, "The chosen row as a table"),
    make("div", {}, make("p", { class: "note" }, "Choose a row above first.")));
  app.pieces.addEventListener("toggle", () => scheduleDraw(app));
  return [
    app.pieces,
    make("h3", {}, "Schedulers' cycles by class, whole run, all SMs"), classTable(app.data, runs, app.look),
    make("h3", {}, "Warps' cycles by state, " + at + ", recorded cycles"), stateTable(app.data, app.panels, app.look),
    make("p", { class: "note" }, "A warp's state is that at the end of a cycle. A letter or a pattern repeats what a " +
      "colour says. Where a pixel stands for several cycles, its height is divided among their states."),
  ];
}

function build(app) {
  if (!app.data.runs.length) {
    app.root.replaceChildren(make("ul", { class: "note" }, ...app.data.missing.map((text) => make("li", {}, text))));
    return;
  }
  readLook(app);
  const numbers = app.shown.filter((i, k) => i >= 0 && (k === 0 || i !== app.shown[0]));
  app.panels = numbers.map((i) => {
    const run = app.data.runs[i];
    return makePanel(app.data, run, Math.min(app.sm, run.sms.length - 1));
  });
  app.cursor = null;
  app.canvases = [];
  app.overviews = [];
  app.hover = make("p", { class: "hover", "aria-hidden": "true" });
  app.spoken = make("p", { class: "unseen", "aria-live": "polite" });
  app.details = make("div", { class: "details", role: "region", "aria-label": "Details of a piece", tabindex: "-1", hidden: true });
  app.panelBox = make("div", { class: app.beside ? "panels beside" : "panels" },
    ...app.panels.map((panel, i) => makePanelElement(app, panel, i)));
  const parts = [leftOut(app), makeChoices(app), makeToolbar(app),
    makeLegend(app, "Schedulers", app.data.words.classes.slice(0, -1)),
    makeLegend(app, "Warps", app.data.words.groups.slice(0, -1)),
    app.panelBox, app.hover, app.spoken, app.details, makeKeys(), ...makeTables(app)];
  app.root.replaceChildren(...parts.filter(Boolean));
  showWhole(app);
}

function startCycles() {
  const app = makeApp(readCycles(), document.getElementById("cycles-app"));
  const rebuild = () => build(app);
  build(app);
  app.root.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || app.details.hidden) return;
    event.preventDefault();
    closeDetails(app);
  });
  window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", rebuild);
  if (app.panels.length) new ResizeObserver(() => scheduleDraw(app)).observe(app.root);
}

startCycles();

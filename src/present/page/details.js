// details.js - what is written about a piece, and the tables under the picture.

// make("p", { class: "note" }, "text", child, ...): an element. Text is never read as HTML.
function make(tag, attributes, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes || {}))
    if (value !== null && value !== false) element.setAttribute(name, value === true ? "" : value);
  for (const child of children)
    if (child !== null && child !== undefined) element.append(child);
  return element;
}

function makeButton(text, action, attributes) {
  const button = make("button", { type: "button", ...attributes }, text);
  button.addEventListener("click", action);
  return button;
}

// A sample of a colour with its pattern and letter.
function makeSwatch(look, name) {
  const canvas = make("canvas", { class: "swatch", "aria-hidden": "true" });
  const scale = window.devicePixelRatio || 1;
  canvas.width = 22 * scale;
  canvas.height = 16 * scale;
  const pen = canvas.getContext("2d");
  pen.scale(scale, scale);
  const plain = { ...look, shows: () => true };
  if (look.colours[name] === "transparent") {
    pen.strokeStyle = look.colours.soft;
    pen.strokeRect(0.5, 0.5, 21, 15);
  } else {
    fillPiece(pen, plain, name, 0, 0, 22, 16);
  }
  return canvas;
}

function makeTable(caption, heads, rows) {
  const cell = (tag, value, i) => {
    const right = typeof value === "string" && (heads[i].right || /^[\d,.]+( %)?$/.test(value));
    return value instanceof Element && value.tagName === "TD"
      ? value : make(tag, right || heads[i].right ? { class: "r" } : {}, value);
  };
  return make("div", { class: "wide", tabindex: "0", role: "region", "aria-label": caption },
    make("table", {},
      make("caption", { class: "unseen" }, caption),
      make("thead", {}, make("tr", {}, ...heads.map((head) =>
        make("th", { scope: "col", class: head.right ? "r" : null }, head.text)))),
      make("tbody", {}, ...rows.map((row) => make("tr", {}, ...row.map((v, i) => cell("td", v, i)))))));
}

const head = (text, right) => ({ text, right });

// Cycles of the schedulers by class: of the whole run, all SMs.
function classTable(data, runs, look) {
  const words = data.words.classes.slice(0, 5);
  const sums = runs.map((run) => words.reduce((sum, word) => sum + run.totals[word.name], 0));
  const heads = [head("CLASS")];
  for (const run of runs) heads.push(head(run.label, true), head("SHARE", true));
  if (runs.length === 2) heads.push(head("CHANGE", true));
  heads.push(head("MEANING"));
  const rows = words.map((word) => {
    const row = [make("td", {}, makeSwatch(look, word.name), word.label)];
    runs.forEach((run, i) => row.push(count(run.totals[word.name]), share(run.totals[word.name], sums[i])));
    if (runs.length === 2) row.push(signed(runs[1].totals[word.name] - runs[0].totals[word.name]));
    row.push(make("td", { class: "words" }, word.help));
    return row;
  });
  const last = ["all"];
  runs.forEach((run, i) => last.push(count(sums[i]), "100.0 %"));
  if (runs.length === 2) last.push(signed(sums[1] - sums[0]));
  rows.push([...last, ""]);
  return makeTable("Cycles of the schedulers by class", heads, rows);
}

function signed(n) {
  return n > 0 ? "+" + count(n) : n < 0 ? "\u2212" + count(-n) : "0";
}

// Cycles of the warps by state: of the recorded SM and cycles.
function stateTable(data, panels, look) {
  const words = data.words.groups.slice(0, -1);
  const totals = panels.map((panel) => warpTotals(data, panel));
  const sums = totals.map((list) => list.reduce((a, b) => a + b, 0));
  const heads = [head("STATE")];
  for (const panel of panels) heads.push(head(panel.run.label, true), head("SHARE", true));
  heads.push(head("MEANING"));
  const rows = words.map((word, k) => {
    const row = [make("td", {}, makeSwatch(look, word.name), word.label)];
    totals.forEach((list, i) => row.push(count(list[k]), share(list[k], sums[i])));
    row.push(make("td", { class: "words" }, word.help));
    return row;
  });
  return makeTable("Cycles of the warps by state", heads, rows);
}

const MOST_ROWS = 200;

// The pieces of one row in the cycles in view: the picture as a table.
function rowTable(data, panel, row, view) {
  const rows = [];
  let left = 0;
  for (let i = 0; i < row.n; i++) {
    const state = stateOf(data, panel, row, i);
    if (row.starts[i + 1] <= view.from || row.starts[i] >= view.to || !state) continue;
    if (rows.length === MOST_ROWS) { left++; continue; }
    const code = state.code;
    rows.push([count(row.starts[i]), count(row.starts[i + 1] - row.starts[i]), state.label,
      code ? String(code.line) : "", make("td", { class: "code" }, code ? code.ptx : "")]);
  }
  const heads = [head("FROM CYCLE", true), head("CYCLES", true), head("STATE"), head("PTX LINE", true), head("PTX")];
  const text = rows.length ? "Pieces of " + row.name + " in view" + (left ? ", the first " + rows.length + " of " +
    count(rows.length + left) + "; zoom in for the others." : ".") : "Nothing of " + row.name + " is in view.";
  return make("div", {}, make("p", { class: "note" }, text), rows.length ? makeTable(text, heads, rows) : null);
}

// What a piece is, in words; null for an empty slot and for cycles without a kernel.
function stateOf(data, panel, row, i) {
  const what = row.whats[i];
  if (row.scheduler) {
    const word = data.words.classes[what];
    return word.name === "none" ? null : { ...word, code: null };
  }
  const [state, code] = panel.run.states[what];
  const word = data.words.groups[data.words.states[state].group];
  if (word.name === "empty") return null;
  return { name: word.name, label: word.label, help: data.words.states[state].help, codeNumber: code,
    code: code >= 0 ? panel.run.code[code] : null };
}

function addEntry(list, term, ...values) {
  list.append(make("dt", {}, term), make("dd", {}, ...values));
}

function addCode(list, code) {
  addEntry(list, "PTX line", code.line + ": ", make("code", {}, code.ptx));
  if (code.file !== undefined)
    addEntry(list, "Source line", make("code", {}, code.file), ":" + code.source_line + " ",
      code.source ? make("code", {}, code.source) : "(the file could not be read)");
  addEntry(list, "Function", make("code", {}, code.function));
}

// "12 waits for memory, 3 at a barrier": the warps of a scheduler at a cycle.
function warpsAt(data, panel, scheduler, cycle) {
  const sums = new Map();
  for (const row of panel.rows) {
    if (row.scheduler || row.of !== scheduler) continue;
    const i = pieceAt(row, cycle), state = i < 0 ? null : stateOf(data, panel, row, i);
    if (state) sums.set(state.label, (sums.get(state.label) || 0) + 1);
  }
  return [...sums].map(([label, n]) => n + " " + label).join(", ") || "none";
}

function addWarp(list, data, panel, row, i, state) {
  const stay = stayAt(row, row.starts[i]);
  const launch = stay && panel.run.launches.find(([number]) => number === stay.launch);
  if (state.code) addCode(list, state.code);
  if (stay)
    addEntry(list, "Warp", "warp " + stay.number + " of block " + stay.block + ", launch " + stay.launch +
      (launch ? " (" + launch[1] + ")" : ""));
  if (!state.code) return;
  const sums = lineTotals(data, panel, state.codeNumber);
  const all = sums.reduce((a, b) => a + b, 0);
  const parts = data.words.groups.map((word, k) => [word.label, sums[k]]).filter(([, n]) => n)
    .sort((a, b) => b[1] - a[1]).map(([label, n]) => count(n) + " " + label);
  addEntry(list, "This line", count(all) + " warp cycles in the recording: " + parts.join(", "));
}

// The panel of details of piece i.
function makeDetails(data, look, panel, rowNumber, i, buttons) {
  const row = panel.rows[rowNumber], state = stateOf(data, panel, row, i);
  const from = row.starts[i], to = row.starts[i + 1];
  const list = make("dl", {});
  const title = row.scheduler ? "Scheduler " + row.number : "Warp slot " + row.number + ", scheduler " + row.of;
  addEntry(list, row.scheduler ? "Class" : "State", makeSwatch(look, state ? state.name : "none"), " ",
    state ? state.label : "nothing here",
    state ? " \u2013 " + (row.scheduler ? state.help : "the warp " + state.help) : "");
  addEntry(list, "Cycles", to - from === 1 ? count(from) + " (1 cycle)"
    : count(from) + " to " + count(to - 1) + " (" + count(to - from) + " cycles)");
  if (state && row.scheduler)
    addEntry(list, "Its warps", "at the end of cycle " + count(from) + ": " +
      warpsAt(data, panel, row.number, from));
  else if (state)
    addWarp(list, data, panel, row, i, state);
  return [make("h3", {}, title + ", SM " + panel.sm.sm + " \u2013 " + panel.run.label), list, buttons];
}

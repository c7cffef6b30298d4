// data.js - the recorded cycles: reading them, and finding the piece of a row at a cycle.
//
// A piece is a stretch of cycles in which a scheduler or a warp was in one state. All text of the
// data is untrusted: the page shows it with textContent and in no other way.
"use strict";

function readCycles() {
  return JSON.parse(document.getElementById("cycles-data").textContent);
}

// A row of a flat list [length, what, length, what, ...] that begins with cycle `first`.
function makeRow(list, first) {
  const n = list.length / 2;
  const starts = new Float64Array(n + 1);
  const whats = new Uint32Array(n);
  starts[0] = first;
  for (let i = 0; i < n; i++) {
    starts[i + 1] = starts[i] + list[2 * i];
    whats[i] = list[2 * i + 1];
  }
  return { n, starts, whats };
}

// The piece of the row at that cycle; -1 outside of the recording.
function pieceAt(row, cycle) {
  if (!row.n || cycle < row.starts[0] || cycle >= row.starts[row.n]) return -1;
  let low = 0, high = row.n - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (row.starts[middle] <= cycle) low = middle;
    else high = middle - 1;
  }
  return low;
}

// What is shown of one SM of one run: its rows, schedulers first. `kinds` has for each row the
// colour of each number in it.
function makePanel(data, run, smIndex) {
  const sm = run.sms[smIndex];
  const first = run.window.first;
  const classNames = data.words.classes.map((word) => word.name);
  const groups = run.states.map(([state]) => data.words.states[state].group);
  const groupNames = data.words.groups.map((word) => word.name);
  const rows = sm.schedulers.map((list, number) => ({
    ...makeRow(list, first), scheduler: true, number,
    name: "scheduler " + number, short: "S" + number,
    kind: (what) => what, kinds: classNames,
  }));
  sm.warps.forEach((warp, number) => {
    if (!warp.stays.length) return; // no warp was ever there
    rows.push({
      ...makeRow(warp.pieces, first), scheduler: false, number, of: warp.scheduler, stays: warp.stays,
      name: "warp " + number, short: String(number),
      kind: (what) => groups[what], kinds: groupNames,
    });
  });
  return { run, sm, rows, first, end: run.window.end };
}

// Cycles of all warps of a panel by group, without empty slots.
function warpTotals(data, panel) {
  const sums = new Array(data.words.groups.length).fill(0);
  for (const row of panel.rows) {
    if (row.scheduler) continue;
    for (let i = 0; i < row.n; i++)
      sums[row.kind(row.whats[i])] += row.starts[i + 1] - row.starts[i];
  }
  sums[sums.length - 1] = 0;
  return sums;
}

// Cycles of all warps of a panel at one line of code, by group.
function lineTotals(data, panel, code) {
  const sums = new Array(data.words.groups.length).fill(0);
  for (const row of panel.rows) {
    if (row.scheduler) continue;
    for (let i = 0; i < row.n; i++)
      if (panel.run.states[row.whats[i]][1] === code)
        sums[row.kind(row.whats[i])] += row.starts[i + 1] - row.starts[i];
  }
  return sums;
}

// The block, launch and number of the warp that was in the slot at that cycle; null if none was.
function stayAt(row, cycle) {
  const stay = row.stays.find(([start, end]) => start <= cycle && cycle < end);
  if (!stay) return null;
  return { start: stay[0], end: stay[1], launch: stay[2], block: stay[3], number: stay[4] };
}

function count(n) {
  return Math.round(n).toLocaleString("en-US");
}

function share(part, whole) {
  return whole ? (100 * part / whole).toFixed(1) + " %" : "";
}

// paint.js - draws rows of pieces, the axis above them, and the strip of the whole run.
//
// Where a pixel stands for several cycles, its height is divided among their states, so that a
// short state does not vanish and a long one does not look longer than it was.

const LETTERS = {
  issued: "I", ready: "r", memory: "M", register: "R", pipe: "P", fetch: "F", barrier: "B",
  sync: "S", ended: "E", empty: "", idle: "\u2013", scoreboard: "W", pipeline: "P", inactive: "\u00d7", none: "",
};

// Lines of a pattern inside of a tile of 12 x 12 pixels, as x, y, x, y.
const TILE = 12;
const PATTERNS = {
  memory: [[-2, 14, 14, -2]],
  scoreboard: [[-2, 14, 14, -2]],
  pipe: [[-2, -2, 14, 14]],
  pipeline: [[-2, -2, 14, 14]],
  barrier: [[6, 0, 6, 12]],
  sync: [[0, 6, 12, 6]],
  register: [[1, 4, 4, 4], [7, 9, 10, 9]],
};

// The colours of the page as it is now: light or dark.
function readColours(element) {
  const style = getComputedStyle(element);
  const colours = {};
  for (const name of [...Object.keys(LETTERS), "panel", "line", "mark", "ink", "soft", "bg", "accent"])
    colours[name] = style.getPropertyValue("--" + name).trim() || "transparent";
  return colours;
}

function makePatterns(context, colours) {
  const patterns = {};
  for (const [name, lines] of Object.entries(PATTERNS)) {
    const tile = document.createElement("canvas");
    tile.width = tile.height = TILE;
    const pen = tile.getContext("2d");
    pen.fillStyle = colours[name];
    pen.fillRect(0, 0, TILE, TILE);
    pen.strokeStyle = colours.bg;
    pen.globalAlpha = 0.4;
    pen.lineWidth = 1.4;
    for (const [x0, y0, x1, y1] of lines) {
      pen.beginPath();
      pen.moveTo(x0, y0);
      pen.lineTo(x1, y1);
      pen.stroke();
    }
    patterns[name] = context.createPattern(tile, "repeat");
  }
  return patterns;
}

// A canvas as large as its place in the page, in the device's pixels.
function fitCanvas(canvas, height) {
  const width = canvas.clientWidth, scale = window.devicePixelRatio || 1;
  canvas.style.height = height + "px";
  canvas.width = Math.max(1, Math.round(width * scale));
  canvas.height = Math.max(1, Math.round(height * scale));
  const pen = canvas.getContext("2d");
  pen.setTransform(scale, 0, 0, scale, 0, 0);
  pen.clearRect(0, 0, width, height);
  return { pen, width };
}

// Black or white, whichever is easier to read on the colour.
function letterColour(colour) {
  const part = (at) => parseInt(colour.slice(at, at + 2), 16) / 255;
  const light = 0.3 * part(1) + 0.59 * part(3) + 0.11 * part(5);
  return light > 0.5 ? "#000" : "#fff";
}

function fillPiece(pen, look, name, x, y, width, height) {
  if (look.colours[name] === "transparent") return;
  pen.globalAlpha = look.shows(name) ? 1 : 0.12;
  pen.fillStyle = width >= 6 && look.patterns[name] || look.colours[name];
  pen.fillRect(x, y, width, height);
  if (width >= 16 && height >= 9 && look.shows(name)) {
    const letter = LETTERS[name];
    const size = Math.min(11, height + 1);
    pen.font = "600 " + size + "px system-ui, sans-serif";
    pen.fillStyle = look.colours[name];
    pen.fillRect(x + width / 2 - size / 2, y, size, height);
    pen.fillStyle = letterColour(look.colours[name]);
    pen.textAlign = "center";
    pen.textBaseline = "middle";
    pen.fillText(letter, x + width / 2, y + height / 2 + 0.5);
  }
  pen.globalAlpha = 1;
}

// Pieces of at least a pixel for each cycle: drawn one by one.
function paintPieces(pen, look, row, view, box) {
  const scale = box.width / (view.to - view.from);
  let i = pieceAt(row, Math.max(view.from, row.starts[0]));
  for (; i >= 0 && i < row.n && row.starts[i] < view.to; i++) {
    const x0 = Math.max(0, (row.starts[i] - view.from) * scale);
    const x1 = Math.min(box.width, (row.starts[i + 1] - view.from) * scale);
    const gap = x1 - x0 > 3 ? 1 : 0;
    fillPiece(pen, look, row.kinds[row.kind(row.whats[i])], box.x + x0, box.y, x1 - x0 - gap, box.height);
  }
}

// How many cycles each column of pixels has of each kind.
function columnsOf(row, view, width) {
  const n = row.kinds.length, scale = width / (view.to - view.from);
  const columns = new Float32Array(width * n);
  let i = pieceAt(row, Math.max(view.from, row.starts[0]));
  for (; i >= 0 && i < row.n && row.starts[i] < view.to; i++) {
    const kind = row.kind(row.whats[i]);
    const x0 = Math.max(0, (row.starts[i] - view.from) * scale);
    const x1 = Math.min(width, (row.starts[i + 1] - view.from) * scale);
    for (let x = Math.floor(x0); x < x1; x++)
      columns[x * n + kind] += Math.min(x + 1, x1) - Math.max(x, x0);
  }
  return columns;
}

// The only kind of a column; -1 if it has several.
function pureKind(columns, n, x) {
  for (let k = 0; k < n; k++)
    if (columns[x * n + k] > 0.999) return k;
  return -1;
}

function paintMixed(pen, look, row, columns, x, box) {
  const n = row.kinds.length;
  let y = box.y;
  for (let k = 0; k < n; k++) {
    const height = columns[x * n + k] * box.height;
    if (height > 0 && look.colours[row.kinds[k]] !== "transparent") {
      pen.globalAlpha = look.shows(row.kinds[k]) ? 1 : 0.12;
      pen.fillStyle = look.colours[row.kinds[k]];
      pen.fillRect(box.x + x, y, 1, height);
    }
    y += height;
  }
  pen.globalAlpha = 1;
}

function paintColumns(pen, look, row, view, box) {
  const width = Math.floor(box.width), n = row.kinds.length;
  const columns = columnsOf(row, view, width);
  for (let x = 0; x < width;) {
    const kind = pureKind(columns, n, x);
    let end = x + 1;
    if (kind < 0) {
      paintMixed(pen, look, row, columns, x, box);
    } else {
      while (end < width && pureKind(columns, n, end) === kind) end++;
      fillPiece(pen, look, row.kinds[kind], box.x + x, box.y, end - x, box.height);
    }
    x = end;
  }
}

// Round steps of an axis with about `most` of them: 1, 2 or 5 times a power of ten.
function axisStep(span, most) {
  const rough = Math.max(1, span / most);
  const power = 10 ** Math.floor(Math.log10(rough));
  return [1, 2, 5, 10].map((times) => times * power).find((step) => step >= rough);
}

function paintAxis(pen, look, view, box) {
  const step = axisStep(view.to - view.from, Math.max(2, box.width / 90));
  const scale = box.width / (view.to - view.from);
  pen.font = "12px system-ui, sans-serif";
  pen.textBaseline = "middle";
  pen.textAlign = "left";
  for (let cycle = Math.ceil(view.from / step) * step; cycle <= view.to; cycle += step) {
    const x = box.x + (cycle - view.from) * scale;
    const text = count(cycle);
    pen.fillStyle = look.colours.line;
    pen.fillRect(Math.round(x), box.y, 1, box.height);
    if (x + 5 + pen.measureText(text).width > box.x + box.width) continue;
    pen.fillStyle = look.colours.soft;
    pen.fillText(text, x + 4, box.y + 9);
  }
}

// The classes of the whole machine in each stretch of the run, and where the view is.
function paintOverview(canvas, look, data, run, view, last) {
  const height = 54, { pen, width } = fitCanvas(canvas, height);
  const names = data.words.classes.slice(0, 5).map((word) => word.name);
  const each = run.machine_sms * run.machine_schedulers;
  let from = 0;
  run.overview.ends.forEach((end, i) => {
    const x0 = Math.round(from / last * width), x1 = Math.round(end / last * width);
    let y = height;
    for (const name of names) {
      const part = Math.min(1, run.overview[name][i] / ((end - from) * each)) * height;
      pen.fillStyle = look.colours[name];
      pen.globalAlpha = look.shows(name) ? 1 : 0.12;
      pen.fillRect(x0, y - part, x1 - x0, part);
      y -= part;
    }
    from = end;
  });
  pen.globalAlpha = 1;
  const x0 = view.from / last * width, x1 = Math.max(x0 + 3, view.to / last * width);
  pen.fillStyle = look.colours.bg;
  pen.globalAlpha = 0.4;
  pen.fillRect(0, 0, x0, height);
  pen.fillRect(x1, 0, width - x1, height);
  pen.globalAlpha = 1;
  pen.strokeStyle = look.colours.mark;
  pen.lineWidth = 2;
  pen.strokeRect(Math.max(1, x0), 1, Math.min(width - 1, x1) - Math.max(1, x0), height - 2);
}

/* The script of an exported page: charts to zoom and read, tables to sort, light and dark. No network, no storage. */
(function (env) {
"use strict";
const THIN = "\u2009", MINUS = "\u2212", DASH = "\u2014";

/* Numbers and moments as the window writes them. */
function fixed(value, decimals) {
  if (!Number.isFinite(value)) return DASH;
  const [whole, part] = Math.abs(value).toFixed(decimals).split(".");
  const text = whole.replace(/\B(?=(\d{3})+$)/g, THIN) + (part ? "." + part : "");
  return value < 0 && /[1-9]/.test(text) ? MINUS + text : text;
}
function reading(value) {
  if (!Number.isFinite(value)) return DASH;
  if (value === 0) return "0";
  const digits = Math.floor(Math.log10(Math.abs(value)));
  return fixed(digits > 3 && digits < 15 ? Number(value.toPrecision(4)) : value, Math.min(6, Math.max(0, 2 - digits)));
}
const two = n => String(n).padStart(2, "0");
function moment(seconds, clock) {
  const whole = Math.round(Math.abs(seconds)), h = Math.floor(whole / 3600), m = Math.floor(whole % 3600 / 60), s = whole % 60;
  const sign = seconds < 0 ? MINUS : "";
  if (clock) return `${two(h % 24)}:${two(m)}:${two(s)}`;
  return h >= 4 ? `${sign}${h}:${two(m)}:${two(s)} h` : `${sign}${h * 60 + m}:${two(s)} min`;
}
function timeWord(span, clock) { return clock ? "clock" : span <= 180 ? "seconds" : span <= 14400 ? "minutes" : "h:mm"; }
function timeLabel(seconds, word, step) {
  if (word === "seconds") return fixed(seconds, step < 1 ? 1 : 0);
  if (word === "minutes") return fixed(seconds / 60, step % 60 === 0 ? 0 : step % 6 === 0 ? 1 : 2);
  const whole = Math.round(Math.abs(seconds)), h = Math.floor(whole / 3600);
  return (seconds < 0 ? MINUS : "") + `${word === "clock" ? h % 24 : h}:${two(Math.floor(whole % 3600 / 60))}`;
}
function wording(axis, word) {
  if ((word === "seconds" || word === "minutes") && axis.label.startsWith("Time since"))
    return word[0].toUpperCase() + word.slice(1) + axis.label.slice(4);
  if (word === "h:mm") return `${axis.label} (h:mm)`;
  if (word === "clock" || !axis.unit || axis.label.includes(axis.unit)) return axis.label;
  return axis.label ? `${axis.label} (${axis.unit})` : axis.unit;
}

/* Arrays come as base64 of little-endian float64. */
function decoded(text) {
  const raw = env.atob(text), bytes = new Uint8Array(raw.length);
  for (let i = 0; i < raw.length; i++) bytes[i] = raw.charCodeAt(i);
  const view = new DataView(bytes.buffer), out = new Float64Array(bytes.length / 8);
  for (let i = 0; i < out.length; i++) out[i] = view.getFloat64(8 * i, true);
  return out;
}
/* Round steps of an axis: 1, 2 or 5 times a power of ten; and the decimals that tell two of them apart. */
const STEPS = [];
for (let power = -9; power <= 15; power++) for (const factor of [1, 2, 5]) STEPS.push(factor * 10 ** power);
const TIMES = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10800, 21600, 43200, 86400, 172800, 604800];
/* The steps that an axis may have, the window's own first: no step is shorter than `least`. */
function stepsFrom(least, time) { return (time && least >= 0.5 ? TIMES : STEPS).filter(step => step >= least * (1 - 1e-9)); }
function decimals(at) {
  const step = at.length > 1 ? Math.abs(at[1] - at[0]) : Math.abs(at[0]) || 1;
  return Math.max(0, Math.min(9, -Math.floor(Math.log10(step) + 1e-9)));
}
/* The sample nearest to x among ascending xs; -1 where the line does not reach. */
function nearest(xs, x) {
  let low = 0, high = xs.length;
  if (!high) return -1;
  while (low < high) { const mid = (low + high) >> 1; if (xs[mid] < x) low = mid + 1; else high = mid; }
  let at = Math.min(low, xs.length - 1);
  if (low > 0 && (low === xs.length || x - xs[low - 1] < xs[low] - x)) at = low - 1;
  const step = xs.length > 1 ? Math.abs(xs[Math.min(at + 1, xs.length - 1)] - xs[Math.max(at - 1, 0)]) : Infinity;
  return Math.abs(xs[at] - x) <= Math.max(step, 0) ? at : -1;
}
/* Tables: by value, what is not available last; text as people order it. */
function compare(a, b, down) {
  const na = a.dataset.v !== undefined, nb = b.dataset.v !== undefined;
  const gone = [a, b].map(one => one.classList.contains("missing") || one.textContent === "");
  if (gone[0] || gone[1]) return gone[0] - gone[1];
  const found = na && nb ? Number(a.dataset.v) - Number(b.dataset.v)
    : na !== nb ? (na ? -1 : 1)
    : a.textContent.localeCompare(b.textContent, "en", { numeric: true });
  return down ? -found : found;
}
/* A label on lines that fit into so many characters, at most three of them. */
function wrapped(text, most) {
  const lines = [];
  for (const word of text.split(" ")) {
    const last = lines[lines.length - 1];
    if (last !== undefined && (last + " " + word).length <= most) lines[lines.length - 1] = last + " " + word;
    else lines.push(word);
  }
  const shown = lines.slice(0, 3).map(line => line.length > most + 1 ? line.slice(0, Math.max(1, most - 1)) + "…" : line);
  if (lines.length > 3) shown[2] = shown[2].slice(0, Math.max(1, most - 1)) + "…";
  return shown.join("\n");
}

const pure = { decimals, stepsFrom, fixed, reading, moment, timeWord, timeLabel, wording, decoded, nearest, compare, wrapped };
if (!env.document) { env.module.exports = pure; return; }

const doc = env.document, root = doc.documentElement;
const DATA = JSON.parse(doc.getElementById("data").textContent);
const arrays = DATA.arrays.map(decoded);
const FONT = '12px Inter, "Segoe UI", Roboto, "Helvetica Neue", Arial, "Liberation Sans", sans-serif';
const DASHES = { dash: [5, 3], dot: [1.2, 2.6], "dash-dot": [6, 2.6, 1.2, 2.6] };
const dark = () => root.dataset.theme === "dark" && !env.matchMedia("print").matches;
const token = name => env.getComputedStyle(root).getPropertyValue("--" + name).trim();
const tint = look => DATA.looks[look][dark() ? 1 : 0];
/* How much of its colour a mark keeps while a finding speaks of another one. */
const KEPT = { all: [1, 1], baseline: [0.42, 0.5], others: [0.24, 0.3] };
const kept = (mark, at) => KEPT[(mark.strengths || [])[at] || mark.emphasis || "all"][dark() ? 1 : 0];
/* The number of a bar: what is counted has no decimals. */
const said = (panel, value) => panel.whole ? fixed(value, 0) : reading(value);
const charts = [];

/* Drawing: every mark by itself on the chart's canvas; positions come from uPlot. */
function line(ctx, px, py, xs, ys) {
  ctx.beginPath();
  let up = true;
  for (let i = 0; i < xs.length; i++) {
    if (!Number.isFinite(ys[i])) { up = true; continue; }
    const x = px(xs[i]), y = py(ys[i]);
    if (up) {
      ctx.moveTo(x, y);
      // A sample alone would be a line without length.
      if (!Number.isFinite(ys[i + 1])) ctx.lineTo(x + 0.01, y);
    } else ctx.lineTo(x, y);
    up = false;
  }
  ctx.stroke();
}
function area(ctx, px, py, xs, low, high) {
  for (let start = 0; start < xs.length; start++) {
    if (!Number.isFinite(low[start] + high[start])) continue;
    let end = start;
    while (end + 1 < xs.length && Number.isFinite(low[end + 1] + high[end + 1])) end++;
    ctx.beginPath();
    for (let i = start; i <= end; i++) ctx.lineTo(px(xs[i]), py(high[i]));
    for (let i = end; i >= start; i--) ctx.lineTo(px(xs[i]), py(low[i]));
    ctx.closePath(); ctx.fill();
    start = end;
  }
}
function dot(ctx, marker, x, y, r) {
  ctx.beginPath();
  if (marker === "square") ctx.rect(x - r, y - r, 2 * r, 2 * r);
  else if (marker === "triangle") { ctx.moveTo(x, y - 1.25 * r); ctx.lineTo(x + 1.25 * r, y + r); ctx.lineTo(x - 1.25 * r, y + r); ctx.closePath(); }
  else if (marker === "diamond") { ctx.moveTo(x, y - 1.25 * r); ctx.lineTo(x + 1.25 * r, y); ctx.lineTo(x, y + 1.25 * r); ctx.lineTo(x - 1.25 * r, y); ctx.closePath(); }
  else if (marker === "cross") { ctx.moveTo(x - r, y - r); ctx.lineTo(x + r, y + r); ctx.moveTo(x - r, y + r); ctx.lineTo(x + r, y - r); ctx.stroke(); return; }
  else ctx.arc(x, y, r, 0, 7);
  ctx.fill();
}
function hatch(ctx, x, y, w, h, colour, gap) {
  ctx.save(); ctx.beginPath(); ctx.rect(x, y, w, h); ctx.clip();
  ctx.strokeStyle = colour; ctx.lineWidth = 1; ctx.beginPath();
  for (let at = x - h; at < x + w; at += gap) { ctx.moveTo(at, y + h); ctx.lineTo(at + h, y); }
  ctx.stroke(); ctx.restore();
}
function dots(ctx, x, y, w, h, colour, gap, size) {
  ctx.fillStyle = colour;
  for (let row = 0, down = gap / 2; down < h; row++, down += gap)
    for (let along = row % 2 ? gap : gap / 2; along < w; along += gap) ctx.fillRect(x + along, y + down, size, size);
}
function heatCanvas(mark) {
  const stops = DATA.heat[dark() ? "dark" : "light"].map(c => [1, 3, 5].map(i => parseInt(c.slice(i, i + 2), 16)));
  const values = arrays[mark.values], rows = mark.rows.length, bins = values.length / Math.max(1, rows);
  const made = doc.createElement("canvas");
  made.width = Math.max(1, bins); made.height = Math.max(1, rows);
  const ctx = made.getContext("2d"), image = ctx.createImageData(made.width, made.height);
  const span = mark.high - mark.low || 1;
  for (let i = 0; i < values.length; i++) {
    if (!Number.isFinite(values[i])) continue;
    const at = Math.min(1, Math.max(0, (values[i] - mark.low) / span)) * (stops.length - 1);
    const a = stops[Math.floor(at)], b = stops[Math.ceil(at)], share = at - Math.floor(at);
    for (let k = 0; k < 3; k++) image.data[4 * i + k] = Math.round(a[k] + (b[k] - a[k]) * share);
    image.data[4 * i + 3] = 255;
  }
  ctx.putImageData(image, 0, 0);
  return made;
}
function drawHeat(u, panel, mark, ctx, px, ratio) {
  const edges = arrays[mark.edges], box = u.bbox, left = px(edges[0]), right = px(edges[edges.length - 1]);
  const key = dark() ? "dark" : "light";
  panel.heat = panel.heat || {};
  panel.heat[key] = panel.heat[key] || heatCanvas(mark);
  hatch(ctx, Math.max(left, box.left), box.top, Math.min(right, box.left + box.width) - Math.max(left, box.left), box.height, token("quiet"), 7 * ratio);
  ctx.imageSmoothingEnabled = false;
  const tall = box.height / mark.rows.length;
  ctx.drawImage(panel.heat[key], left, box.top, right - left, box.height);
  // A veil over what a finding does not speak of; a lit row is left out of it and outlined.
  const lit = mark.lit >= 0 ? mark.lit : mark.rows.length;
  ctx.globalAlpha = 1 - kept(mark); ctx.fillStyle = token("card");
  ctx.fillRect(box.left, box.top, box.width, lit * tall);
  if (lit + 1 < mark.rows.length) ctx.fillRect(box.left, box.top + (lit + 1) * tall, box.width, (mark.rows.length - lit - 1) * tall);
  ctx.globalAlpha = 1;
  if (mark.lit >= 0) {
    const top = box.top + mark.lit * tall;
    ctx.strokeStyle = token("accent"); ctx.lineWidth = 1.5 * ratio;
    ctx.strokeRect(box.left + ratio, top, box.width - 2 * ratio, tall);
  }
  if (tall >= 6 * ratio) {
    ctx.fillStyle = token("card");
    for (let row = 1; row < mark.rows.length; row++) ctx.fillRect(box.left, Math.round(box.top + row * tall), box.width, ratio);
  }
}
function groupsOf(bars) {
  const groups = new Map();
  bars.forEach((bar, i) => { const key = bar.stack || "alone " + i; groups.set(key, [...(groups.get(key) || []), bar]); });
  return [...groups.values()];
}
const measured = (bars, at) => bars.filter(bar => Number.isFinite(arrays[bar.values][at]));
/* The row over which a number stands free of level lines, as that of a limit. */
function beyondLines(panel, top, py, ratio) {
  const lines = panel.marks.filter(mark => mark.kind === "line").map(mark => arrays[mark.y]).filter(ys => ys.length && ys.every(y => y === ys[0]));
  for (const level of lines.map(ys => py(ys[0])).sort((a, b) => b - a)) if (top - level >= 3 * ratio && top - level <= 17 * ratio) top = level;
  return top;
}
function drawBars(u, panel, bars, ctx, px, py, ratio) {
  const groups = groupsOf(bars), count = panel.x.categories.length || Math.max(...bars.map(bar => arrays[bar.values].length));
  const slot = Math.abs(px(1) - px(0)), wide = Math.min(slot * 0.68 / groups.length, 54 * ratio);
  ctx.font = "600 " + FONT.replace("12px", 12 * ratio + "px");
  const totals = groups.flatMap(group => Array.from({ length: count }, (_, at) => said(panel, measured(group, at).reduce((sum, bar) => sum + arrays[bar.values][at], 0))));
  const labelled = count * groups.length <= 40 && Math.max(...totals.map(text => ctx.measureText(text).width)) <= wide * 1.15;
  for (let at = 0; at < count; at++) {
    let present = groups.filter(group => measured(group, at).length);
    if (!present.length) present = groups.slice(0, 1);
    present.forEach((group, number) => {
      const x = px(at) - wide * present.length / 2 + number * wide, inset = Math.min(2 * ratio, wide * 0.06), members = measured(group, at);
      let base = 0, top = py(0);
      for (const bar of members) {
        const value = arrays[bar.values][at], from = py(panel.y.log ? panel.y.low : base), to = py(base + value);
        const y = Math.min(from, to), h = Math.abs(from - to);
        ctx.globalAlpha = kept(bar, at); ctx.fillStyle = tint(bar.look);
        if (bar.outlined) { ctx.strokeStyle = tint(bar.look); ctx.lineWidth = 1.5 * ratio; ctx.strokeRect(x + inset + 0.75 * ratio, y + 0.75 * ratio, wide - 2 * inset - 1.5 * ratio, Math.max(0, h - 1.5 * ratio)); ctx.globalAlpha *= 0.22; }
        if (bar.dots) { ctx.beginPath(); ctx.arc(x + wide / 2, to, 4.5 * ratio, 0, 2 * Math.PI); ctx.fill(); }
        else ctx.fillRect(x + inset, y, wide - 2 * inset, h);
        ctx.globalAlpha = 1;
        if (DATA.looks[bar.look][2] !== "solid" && !bar.outlined && !bar.dots) { ctx.globalAlpha = 0.45; dots(ctx, x + inset, y, wide - 2 * inset, h, token("card"), (DATA.looks[bar.look][2] === "dot" ? 4 : 6) * ratio, ratio); ctx.globalAlpha = 1; }
        base += value; top = Math.min(y, py(Math.max(base, panel.y.log ? panel.y.low : 0)));
      }
      const only = members.length === 1 ? members[0] : null;
      if (only && Number.isFinite(arrays[only.low][at] + arrays[only.high][at])) {
        const low = py(arrays[only.low][at]), high = py(arrays[only.high][at]), middle = x + wide / 2, half = Math.min(5 * ratio, wide / 5);
        for (const [colour, width] of [[token("card"), 3], [token("text"), 1.2]]) {
          ctx.strokeStyle = colour; ctx.lineWidth = width * ratio; ctx.beginPath();
          ctx.moveTo(middle, low); ctx.lineTo(middle, high);
          for (const end of [low, high]) { ctx.moveTo(middle - half, end); ctx.lineTo(middle + half, end); }
          ctx.stroke();
        }
        top = Math.min(top, low, high);
      }
      if (!members.length || labelled) {
        ctx.fillStyle = token(members.length ? "text" : "quiet"); ctx.textAlign = "center"; ctx.textBaseline = "bottom";
        ctx.fillText(members.length ? said(panel, base) : DASH, x + wide / 2, (members.length ? beyondLines(panel, top, py, ratio) : u.bbox.top + u.bbox.height) - 3 * ratio);
      }
    });
  }
}
function drawRegions(u, panel, ctx, px, ratio, over) {
  const box = u.bbox, { min, max } = u.scales.x;
  panel.regions.forEach(([name, start, end], number) => {
    if (end <= min || start >= max || (start <= min && end >= max)) return;
    const left = px(Math.max(start, min)), right = px(Math.min(end, max));
    if (!over) { ctx.globalAlpha = number % 2 ? 0.03 : 0.07; ctx.fillStyle = token("quiet"); ctx.fillRect(left, box.top, right - left, box.height); ctx.globalAlpha = 1; return; }
    ctx.strokeStyle = token("quiet"); ctx.lineWidth = ratio; ctx.setLineDash([3 * ratio, 3 * ratio]); ctx.beginPath();
    for (const x of [left, right]) if (x > box.left + 1 && x < box.left + box.width - 1) { ctx.moveTo(x, box.top); ctx.lineTo(x, box.top + box.height); }
    ctx.stroke(); ctx.setLineDash([]);
    ctx.font = FONT.replace("12px", 11 * ratio + "px"); ctx.fillStyle = token("quiet"); ctx.textAlign = "left"; ctx.textBaseline = "top";
    if (!panel.marks.some(mark => mark.kind === "heat") && right - left > ctx.measureText(name).width + 8 * ratio) ctx.fillText(name, left + 5 * ratio, box.top + 3 * ratio);
  });
}
/* What a finding speaks of: a line, or a band over its stretch, with its words below the names of the phases. */
function drawMoments(u, panel, ctx, px, ratio) {
  const box = u.bbox, { min, max } = u.scales.x;
  for (const [words, start, until] of panel.moments || []) {
    const ends = [start, until == null ? start : until];
    if (ends[1] < min || ends[0] > max) continue;
    const [left, right] = ends.map(at => px(Math.min(max, Math.max(min, at))));
    ctx.globalAlpha = 0.08; ctx.fillStyle = token("text"); ctx.fillRect(left, box.top, right - left, box.height); ctx.globalAlpha = 1;
    ctx.strokeStyle = token("text"); ctx.lineWidth = 1.5 * ratio; ctx.beginPath();
    for (const x of new Set([left, right])) { ctx.moveTo(x, box.top); ctx.lineTo(x, box.top + box.height); }
    ctx.stroke();
    ctx.font = "600 " + FONT.replace("12px", 11 * ratio + "px");
    const wide = ctx.measureText(words).width + 10 * ratio, top = box.top + 18 * ratio;
    const from = left + wide <= box.left + box.width ? left : Math.max(box.left, left - wide);
    ctx.fillRect(from, top, wide, 17 * ratio);
    ctx.fillStyle = token("card"); ctx.textAlign = "left"; ctx.textBaseline = "middle"; ctx.fillText(words, from + 5 * ratio, top + 9 * ratio);
  }
}
function draw(u, panel) {
  const ctx = u.ctx, box = u.bbox, ratio = env.devicePixelRatio || 1;
  const px = v => u.valToPos(v, "x", true), py = v => u.valToPos(v, "y", true);
  ctx.save(); ctx.beginPath(); ctx.rect(box.left, box.top - 18 * ratio, box.width, box.height + 18 * ratio + 1); ctx.clip();
  drawRegions(u, panel, ctx, px, ratio, false);
  ctx.save(); ctx.beginPath(); ctx.rect(box.left - 5 * ratio, box.top, box.width + 10 * ratio, box.height); ctx.clip();
  ctx.lineJoin = "bevel"; ctx.lineCap = "round";
  for (const mark of panel.marks) {
    if (mark.kind === "heat") drawHeat(u, panel, mark, ctx, px, ratio);
    if (mark.kind === "band") { ctx.globalAlpha = 0.2 * kept(mark); ctx.fillStyle = tint(mark.look); area(ctx, px, py, arrays[mark.x], arrays[mark.low], arrays[mark.high]); ctx.globalAlpha = 1; }
  }
  for (const mark of panel.marks) {
    if (mark.kind !== "line") continue;
    const faint = mark.vm && !mark.strong;
    ctx.strokeStyle = tint(mark.look); ctx.globalAlpha = (faint ? 0.28 : 1) * kept(mark); ctx.lineWidth = (faint ? 1 : 1.8) * ratio;
    const dashes = faint ? [] : (DASHES[DATA.looks[mark.look][2]] || []);
    ctx.setLineDash(dashes.map(part => part * 1.6 * ratio)); ctx.lineCap = dashes.length ? "butt" : "round";
    line(ctx, px, py, arrays[mark.x], arrays[mark.y]);
    ctx.setLineDash([]); ctx.globalAlpha = 1;
  }
  let order = 0;
  for (const mark of panel.marks) {
    if (mark.kind !== "dots" && !(mark.kind === "line" && !mark.vm)) continue;
    const xs = arrays[mark.x], ys = arrays[mark.y], marker = DATA.looks[mark.look][3], many = mark.kind === "dots";
    if (!many && marker === "none") continue;
    ctx.fillStyle = ctx.strokeStyle = tint(mark.look); ctx.lineWidth = 1.6 * ratio; ctx.globalAlpha = kept(mark) * (many ? (xs.length > 400 ? 0.6 : 0.85) : 1);
    const places = many || xs.length <= 24 ? xs.keys() : [0, 1, 2, 3, 4, 5].map(k => Math.floor((k + 0.25 + 0.11 * (order % 6)) / 6 * (xs.length - 1)));
    for (const at of places) if (Number.isFinite(ys[at])) dot(ctx, marker, px(xs[at]), py(ys[at]), (many ? 2.8 : 3.2) * ratio);
    ctx.globalAlpha = 1; order++;
  }
  ctx.restore();
  const bars = panel.marks.filter(mark => mark.kind === "bars");
  if (bars.length) drawBars(u, panel, bars, ctx, px, py, ratio);
  drawRegions(u, panel, ctx, px, ratio, true);
  drawMoments(u, panel, ctx, px, ratio);
  ctx.restore();
}

/* What stands under the pointer, in words. */
function told(u, panel, x, y, left, top) {
  const head = panel.x.categories.length ? panel.x.categories[Math.round(x)] : panel.x.time ? moment(x, panel.x.clock) : reading(x) + (panel.x.unit ? THIN + panel.x.unit : "");
  const unit = panel.y.unit ? THIN + panel.y.unit : "", rows = [];
  let near = null, close = 14;
  // A sample that stands away from the pointer is told with its own place.
  const place = at => Math.abs(u.valToPos(at, "x") - left) > 8 ? ` ${DATA.words.at} ${panel.x.categories.length ? panel.x.categories[Math.round(at)] : panel.x.time ? moment(at, panel.x.clock) : reading(at) + (panel.x.unit ? THIN + panel.x.unit : "")}` : "";
  for (const mark of panel.marks) {
    if (mark.kind === "heat") {
      const row = Math.min(mark.rows.length - 1, Math.max(0, Math.floor(y))), edges = arrays[mark.edges], bins = edges.length - 1;
      let bin = 0;
      while (bin < bins - 1 && edges[bin + 1] <= x) bin++;
      rows.push([null, mark.rows[row], reading(arrays[mark.values][row * bins + bin]) + THIN + mark.unit]);
    } else if (mark.kind === "bars") {
      const at = Math.round(x), value = arrays[mark.values][at], low = arrays[mark.low][at], high = arrays[mark.high][at];
      // Bars named by their category say nothing in the others.
      if (Number.isFinite(value) || !panel.x.categories.includes(mark.name)) rows.push([mark.look, mark.name, (Number.isFinite(value) ? said(panel, value) + unit : DASH) + (Number.isFinite(low + high) ? ` [${reading(low)}, ${reading(high)}]` : "")]);
    } else if (mark.kind === "dots") {
      const xs = arrays[mark.x], ys = arrays[mark.y];
      for (let i = 0; i < xs.length; i++) {
        const gap = Math.hypot(u.valToPos(xs[i], "x") - left, u.valToPos(ys[i], "y") - top);
        if (gap < close) { close = gap; near = [mark.look, mark.names[i] || mark.name, reading(ys[i]) + unit]; }
      }
    } else {
      const xs = arrays[mark.x], at = nearest(xs, x);
      if (mark.kind === "band") { if (at >= 0) rows.push([mark.look, mark.name, `${reading(arrays[mark.low][at])} – ${reading(arrays[mark.high][at])}${unit}`]); continue; }
      const value = at < 0 ? NaN : arrays[mark.y][at];
      if (mark.vm && !mark.strong) {
        const gap = Math.abs(u.valToPos(value, "y") - top);
        if (gap < close) { close = gap; near = [mark.look, mark.vm, reading(value) + unit]; }
      } else rows.push([mark.look, mark.vm || mark.name, Number.isFinite(value) ? reading(value) + unit + place(xs[at]) : DASH]);
    }
  }
  if (near) rows.push(near);
  return { head, rows };
}
function showTip(u, panel, host, tip, speak) {
  const { left, top } = u.cursor;
  if (left == null || left < 0) { tip.hidden = true; return; }
  const { head, rows } = told(u, panel, u.posToVal(left, "x"), u.posToVal(top, "y"), left, top);
  tip.replaceChildren();
  const title = doc.createElement("b");
  title.textContent = head;
  tip.append(title);
  for (const [look, name, value] of rows.slice(0, 14)) {
    const row = doc.createElement("span");
    if (look !== null) { const patch = doc.createElement("i"); patch.className = "k k" + look; row.append(patch); }
    row.append(`${name}: ${value}`);
    tip.append(row);
  }
  tip.hidden = false;
  const at = u.over.getBoundingClientRect(), page = doc.body.getBoundingClientRect();
  const x = at.left + left + 16 + tip.offsetWidth > env.innerWidth ? at.left + left - tip.offsetWidth - 12 : at.left + left + 16;
  tip.style.left = Math.max(4, x) - page.left + "px"; tip.style.top = at.top + top + 14 - page.top + "px";
  if (speak) doc.getElementById("spoken").textContent = [head, ...rows.map(([, name, value]) => `${name}: ${value}`)].join("; ");
}

function build(host, chart, panel, tip) {
  const { x, y } = panel, names = y.names, heat = panel.marks.find(mark => mark.kind === "heat");
  const tall = heat ? Math.max(110, Math.min(360, 40 + 15 * names.length)) : chart.stacked ? 230 : 330;
  const axis = { stroke: () => token("quiet"), font: FONT, ticks: { stroke: () => token("line"), size: 4 }, labelFont: FONT };
  const spread = x.high - x.low || 1;
  const yAxis = { ...axis, size: (u, values) => chart.stacked ? chart.axis : 14 + 7 * Math.max(3, ...(values || []).map(text => Math.min(22, String(text || "").length))), grid: { stroke: () => token("line"), width: 1, show: !names.length }, space: 34 };
  if (names.length) {
    yAxis.splits = () => { const step = Math.ceil(names.length * 13 / (tall - 40)); return names.map((_, i) => i + 0.5).filter((_, i) => i % step === 0); };
    yAxis.values = (u, at) => at.map(v => { const text = names[Math.floor(v)] || ""; return text.length > 20 ? text.slice(0, 9) + "…" + text.slice(-9) : text; });
  } else yAxis.values = (u, at) => at.map(v => v == null ? null : y.log ? (Math.abs(Math.log10(v) - Math.round(Math.log10(v))) < 1e-9 || at.length < 5 ? reading(v) : null) : fixed(v, decimals(at)));
  if (!names.length && !y.log) yAxis.incrs = stepsFrom(y.least, false);
  const inView = (u, i, low, high) => stepsFrom(x.least * (high - low) / spread, x.time);
  const xAxis = { ...axis, grid: { show: false }, labelSize: 22, labelGap: 2, size: 28, space: 56 };
  if (x.categories.length) {
    const perLine = u => Math.max(4, Math.floor(u.bbox.width / (env.devicePixelRatio || 1) / x.categories.length / 6.6));
    xAxis.splits = () => x.categories.map((_, i) => i);
    xAxis.values = (u, at) => at.map(i => x.categories[i] === undefined ? "" : wrapped(x.categories[i], perLine(u)));
    xAxis.size = (u, values) => 16 + 15 * Math.max(1, ...(values || []).map(text => String(text).split("\n").length)); if (x.label) xAxis.label = x.label;
  } else if (x.time) {
    const word = timeWord(spread, x.clock);
    xAxis.incrs = inView;
    xAxis.values = (u, at) => at.map(v => timeLabel(v, word, at.length > 1 ? at[1] - at[0] : 60));
    xAxis.label = wording(x, word);
  } else { xAxis.values = (u, at) => at.map(v => v == null ? null : x.log ? reading(v) : fixed(v, decimals(at))); if (!x.log) xAxis.incrs = inView; xAxis.label = wording(x, ""); }
  if (chart.hidesX(panel)) { xAxis.values = (u, at) => at.map(() => ""); xAxis.label = undefined; xAxis.size = 10; }
  const clamp = (min, max) => [Math.max(x.low, min), Math.min(x.high, max)];
  const u = new env.uPlot({
    width: Math.max(180, host.clientWidth), height: tall + (xAxis.label ? 22 : 0), legend: { show: false }, pxAlign: 1,
    padding: [18, 10, 0, 0],
    scales: {
      x: { time: false, distr: x.log ? 3 : 1, range: (_, min, max) => min == null ? [x.low, x.high] : clamp(min, max) },
      y: { distr: y.log ? 3 : 1, dir: heat || names.length ? -1 : 1, range: () => [y.low, y.high] },
    },
    axes: [xAxis, yAxis],
    cursor: { drag: { x: !x.categories.length, y: false, dist: 4 }, points: { show: false }, y: false },
    series: [{}, { paths: () => null, points: { show: false } }],
    hooks: {
      drawAxes: [self => draw(self, panel)],
      setCursor: [self => { if (!chart.busy) showTip(self, panel, host, tip, chart.keys); }],
      setScale: [(self, key) => { if (key === "x") chart.follow(self, x.key); }],
    },
  }, [[x.low, x.high], [y.low, y.high]], host);
  if (y.label && !names.length) {
    const label = doc.createElement("p");
    label.className = "legend-line"; label.textContent = wording(y, "");
    host.prepend(label);
  }
  host.addEventListener("keydown", event => keys(event, u, chart, x));
  host.addEventListener("blur", () => { u.setCursor({ left: -10, top: -10 }); tip.hidden = true; });
  return u;
}
function keys(event, u, chart, x) {
  const wide = u.over.clientWidth, tall = u.over.clientHeight, steps = x.categories.length || 60;
  let left = u.cursor.left == null || u.cursor.left < 0 ? wide / 2 : u.cursor.left;
  const { min, max } = u.scales.x, centre = u.posToVal(left, "x");
  const zoom = share => u.setScale("x", { min: centre - (centre - min) * share, max: centre + (max - centre) * share });
  if (event.key === "ArrowLeft" || event.key === "ArrowRight") {
    const way = event.key === "ArrowRight" ? 1 : -1;
    left = x.categories.length ? u.valToPos(Math.min(steps - 1, Math.max(0, Math.round(centre) + (u.cursor.left < 0 || u.cursor.left == null ? 0 : way))), "x") : Math.min(wide, Math.max(0, left + way * wide / steps));
    chart.keys = true;
    u.setCursor({ left, top: u.cursor.top < 0 || u.cursor.top == null ? tall / 2 : u.cursor.top });
    chart.keys = false;
  } else if ((event.key === "ArrowUp" || event.key === "ArrowDown") && u.cursor.left >= 0) {
    chart.keys = true;
    u.setCursor({ left, top: Math.min(tall - 1, Math.max(0, u.cursor.top + (event.key === "ArrowUp" ? -tall : tall) / 20)) });
    chart.keys = false;
  } else if ((event.key === "+" || event.key === "=") && !x.categories.length) zoom(0.6);
  else if ((event.key === "-" || event.key === "\u2212") && !x.categories.length) zoom(1 / 0.6);
  else if (event.key === "0" || event.key === "Escape") u.setScale("x", { min: x.low, max: x.high });
  else return;
  event.preventDefault();
}

/* A chart in a folded part is drawn when that is opened: most of them never are. */
function whenOpen(part, make) {
  const folded = part.parentElement.closest("details:not([open])");
  if (!folded) { make(); return; }
  folded.addEventListener("toggle", () => whenOpen(part, make), { once: true });
}
function chartOf(figure, tip) {
  const live = figure.querySelector(".live"), still = figure.querySelector(".still"), hosts = [...live.querySelectorAll(".plot")];
  const data = DATA.charts[hosts[0].dataset.chart], plots = [];
  const columns = data.panels.map(panel => panel.column);
  const chart = {
    axis: Math.max(...data.panels.map(panel => 14 + 7 * Math.max(6, ...panel.y.names.map(name => Math.min(20, name.length))))),
    busy: false, keys: false, stacked: new Set(columns).size < columns.length,
    hidesX: panel => data.panels.some(other => other !== panel && other.column === panel.column && other.x.key === panel.x.key && data.panels.indexOf(other) > data.panels.indexOf(panel)),
    follow(source, key) {
      if (chart.busy) return;
      chart.busy = true;
      const { min, max } = source.scales.x;
      plots.forEach((plot, i) => { if (plot !== source && data.panels[i].x.key === key && !data.panels[i].x.categories.length) plot.setScale("x", { min, max }); });
      chart.busy = false;
    },
  };
  try {
    live.hidden = false;
    chart.busy = true;
    for (const host of hosts) {
      const panel = data.panels[Number(host.dataset.panel)];
      plots[Number(host.dataset.panel)] = build(host, chart, panel, tip);
      new env.ResizeObserver(() => {
        const plot = plots[Number(host.dataset.panel)];
        if (host.clientWidth && Math.abs(plot.width - host.clientWidth) > 1) plot.setSize({ width: host.clientWidth, height: plot.height });
      }).observe(host);
    }
    chart.busy = false;
    if (still) still.hidden = true;
    charts.push(...plots);
  } catch (error) {
    // The still drawing stays.
    live.hidden = true;
    env.console.error(error);
  }
}

function start() {
  const tip = doc.createElement("div");
  tip.className = "tip"; tip.hidden = true;
  doc.body.append(tip);
  for (const figure of doc.querySelectorAll("figure.chart")) whenOpen(figure, () => chartOf(figure, tip));
  for (const ramp of doc.querySelectorAll(".ramp")) paintRamp(ramp);
  for (const table of doc.querySelectorAll("table")) sortable(table);
  const button = doc.getElementById("theme");
  button.hidden = false;
  button.addEventListener("click", () => { root.dataset.theme = dark() ? "light" : "dark"; again(); });
  for (const part of doc.querySelectorAll(".keys")) part.hidden = false;
  env.matchMedia("print").addEventListener("change", again);
  env.addEventListener("hashchange", () => unfold(doc.getElementById(env.location.hash.slice(1))));
  unfold(doc.getElementById(env.location.hash.slice(1)));
  searching();
}
/* Opens what hides a part, and the part itself where it is folded; then shows it. */
function unfold(part) {
  if (!part) return;
  if (part.matches("section")) { const own = part.querySelector(":scope > details"); if (own) own.open = true; }
  for (let at = part.closest("details"); at; at = at.parentElement.closest("details")) at.open = true;
  part.scrollIntoView({ block: "start" });
}
/* Search: paragraphs, headings, items and cells that hold the words; Enter goes on, Shift+Enter back. */
function searching() {
  const field = doc.getElementById("find"), hits = doc.getElementById("hits");
  const parts = [...doc.querySelectorAll("main :is(p, h2, h3, li, caption, th, td)")].map(part => [part, part.textContent.toLowerCase()]);
  let found = [], at = -1;
  const show = () => {
    for (const part of doc.querySelectorAll(".hit")) part.classList.remove("hit");
    hits.textContent = !field.value.trim() ? "" : found.length ? `${at < 0 ? "" : `${at + 1} ${DATA.words.of} `}${found.length} ${DATA.words.found}` : DATA.words.nothing;
    if (at < 0) return;
    unfold(found[at]);
    found[at].classList.add("hit");
    found[at].scrollIntoView({ block: "center" });
  };
  const look = () => {
    const words = field.value.trim().toLowerCase();
    found = words ? parts.filter(([, text]) => text.includes(words)).map(([part]) => part) : [];
    at = -1;
    show();
  };
  field.addEventListener("input", look);
  field.addEventListener("keydown", event => {
    if (event.key === "Escape") { field.value = ""; look(); }
    if (event.key !== "Enter" || !found.length) return;
    event.preventDefault();
    at = at < 0 ? (event.shiftKey ? found.length - 1 : 0) : (at + (event.shiftKey ? -1 : 1) + found.length) % found.length;
    show();
  });
  doc.getElementById("search").hidden = false;
}
function again() {
  for (const plot of charts) plot.redraw(false, true);
  for (const ramp of doc.querySelectorAll(".ramp")) paintRamp(ramp);
}
function paintRamp(ramp) { ramp.style.background = `linear-gradient(to right, ${DATA.heat[dark() ? "dark" : "light"].join(",")})`; }
function sortable(table) {
  const heads = [...table.tHead.rows[0].cells], body = table.tBodies[0];
  if (body.rows.length < 2) return;
  heads.forEach((head, at) => {
    const button = doc.createElement("button");
    button.type = "button"; button.append(...head.childNodes); head.append(button);
    button.addEventListener("click", () => {
      const down = head.getAttribute("aria-sort") === "ascending";
      for (const other of heads) other.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", down ? "descending" : "ascending");
      body.append(...[...body.rows].map((row, i) => [row, i]).sort((a, b) => compare(a[0].cells[at], b[0].cells[at], down) || a[1] - b[1]).map(pair => pair[0]));
    });
  });
}
start();
})(typeof window === "undefined" ? { module, atob } : window);

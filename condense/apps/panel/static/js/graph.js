// The graph of what memories speak of, laid out here: nodes push one another away, edges pull, clusters keep together.
import { html, useEffect, useMemo, useRef, useState } from "../vendor/htm-preact.mjs";
import { api } from "./api.js";
import { Empty, Loaded } from "./components.js";
import { plain } from "./format.js";
import { t, word } from "./i18n.js";
import { go, link, useLoad, useStore } from "./store.js";

const WIDE = 1000, HIGH = 640;

function layOut({ nodes, edges }) {
  const at = new Map(nodes.map((node, n) => [node.id, n]));
  const homes = new Map();
  const clusters = [...new Set(nodes.map((node) => node.cluster))];
  clusters.forEach((cluster, n) => {
    const angle = n * 2.399963, far = Math.sqrt((n + 0.4) / clusters.length);
    homes.set(cluster, [WIDE / 2 + Math.cos(angle) * far * WIDE * 0.42, HIGH / 2 + Math.sin(angle) * far * HIGH * 0.4]);
  });
  const points = nodes.map((node, n) => {
    const [x, y] = homes.get(node.cluster), angle = n * 2.399963, far = 14 + 4 * Math.sqrt(n);
    return { x: x + Math.cos(angle) * far, y: y + Math.sin(angle) * far, dx: 0, dy: 0, r: radius(node) };
  });
  const pairs = edges.map((edge) => [at.get(edge.source), at.get(edge.target), edge.weight || 1]).filter(([a, b]) => a !== undefined && b !== undefined && a !== b);
  const spread = Math.sqrt((WIDE * HIGH) / Math.max(nodes.length, 1)) * 0.8;
  for (let turn = 0; turn < 220; turn++) {
    const heat = 0.9 * (1 - turn / 220);
    for (let a = 0; a < points.length; a++)
      for (let b = a + 1; b < points.length; b++) {
        const dx = points[a].x - points[b].x || 0.01 * (a - b), dy = points[a].y - points[b].y || 0.01;
        const far2 = dx * dx + dy * dy, near = points[a].r + points[b].r + 6;
        if (far2 > spread * spread * 9) continue;
        const push = (spread * spread * 0.075) / Math.max(far2, 40) + (far2 < near * near ? 0.6 : 0);
        points[a].dx += dx * push; points[a].dy += dy * push; points[b].dx -= dx * push; points[b].dy -= dy * push;
      }
    for (const [a, b, weight] of pairs) {
      const dx = points[b].x - points[a].x, dy = points[b].y - points[a].y, far = Math.hypot(dx, dy) || 1;
      const pull = ((far - spread * 0.5) / far) * 0.085 * Math.min(3, weight);
      points[a].dx += dx * pull; points[a].dy += dy * pull; points[b].dx -= dx * pull; points[b].dy -= dy * pull;
    }
    points.forEach((point, n) => {
      const [x, y] = homes.get(nodes[n].cluster);
      point.dx += (x - point.x) * 0.02; point.dy += (y - point.y) * 0.03;
      const long = Math.hypot(point.dx, point.dy), step = Math.min(long, 30) * heat;
      if (long) {
        point.x += (point.dx / long) * step;
        point.y += (point.dy / long) * step;
      }
      point.dx = point.dy = 0;
    });
  }
  fit(points, "x", 60, WIDE - 60);
  fit(points, "y", 26, HIGH - 40);
  return { points, pairs };
}

function fit(points, axis, from, to) {
  const all = points.map((point) => point[axis]), least = Math.min(...all), wide = Math.max(...all) - least;
  for (const point of points) point[axis] = wide ? from + ((point[axis] - least) / wide) * (to - from) : (from + to) / 2;
}

const radius = (node) => (node.kind === "memory" ? 6 : 8) + Math.min(10, Math.sqrt(node.weight || 1) * 1.6);
const clip = (given, most, text = plain(given)) => (text.length > most ? `${text.slice(0, most - 1)}…` : text);
const named = ({ kind, label }) => clip(kind === "memory" ? label : label.split("/").pop(), 24);
const width = (text) => Array.from(text).reduce((sum, one) => sum + (one > "\u2e80" ? 11.5 : 6.6), 0);
const hue = (cluster) => `c${((Number(cluster) || 0) % 6 + 6) % 6}`;

function Picture({ graph, chosen, setChosen }) {
  const { points, pairs } = useMemo(() => layOut(graph), [graph]);
  const svg = useRef();
  const near = useMemo(() => {
    if (chosen === null) return null;
    const found = new Set([chosen]);
    for (const [a, b] of pairs) if (a === chosen || b === chosen) found.add(a).add(b);
    return found;
  }, [chosen, pairs]);
  // names where there is room: the heaviest first, none over another; those of memories over no point, either
  const labelled = useMemo(() => {
    const boxes = [], found = new Map();
    const order = graph.nodes.map((_, n) => n).sort((a, b) => (graph.nodes[a].kind === "memory") - (graph.nodes[b].kind === "memory") || points[b].r - points[a].r);
    for (const n of order) {
      const half = width(named(graph.nodes[n])) / 2, { x, y, r } = points[n], isMemory = graph.nodes[n].kind === "memory";
      for (const down of isMemory ? [r + 13, -r - 5] : [r + 13]) {
        const box = [x - half, y + down - 11, x + half, y + down + 3];
        const isOver = (one) => Math.abs(one.x - x) < half + one.r && one.y + one.r > box[1] && one.y - one.r < box[3];
        if (isMemory && (box[0] < 0 || box[2] > WIDE || points.some((one, m) => m !== n && isOver(one)))) continue;
        if (boxes.some((one) => box[0] < one[2] && box[2] > one[0] && box[1] < one[3] && box[3] > one[1])) continue;
        boxes.push(box);
        found.set(n, down);
        break;
      }
    }
    return found;
  }, [points]);
  const move = (event) => {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    const next = ((chosen ?? -1) + step + points.length) % points.length;
    setChosen(next);
    svg.current.querySelectorAll(".node")[next]?.focus();
  };
  return html`<svg ref=${svg} class="graph" viewBox=${`0 0 ${WIDE} ${HIGH}`} role="group" aria-label=${t("graph.label", { n: graph.nodes.length })} onKeyDown=${move}>
    ${pairs.map(([a, b], n) => html`<line key=${n} class=${near && !(near.has(a) && near.has(b)) ? "edge faint" : near && (a === chosen || b === chosen) ? "edge strong" : "edge"}
      x1=${points[a].x} y1=${points[a].y} x2=${points[b].x} y2=${points[b].y} />`)}
    ${graph.nodes.map((node, n) => html`<g key=${node.id} class=${`node ${node.kind} ${hue(node.cluster)} ${near && !near.has(n) ? "faint" : ""} ${n === chosen ? "here" : ""}`} role="button"
      tabindex=${n === (chosen ?? 0) ? 0 : -1} aria-pressed=${String(n === chosen)} aria-label=${`${word("kind", node.kind)}: ${clip(node.label, 120)}`} onClick=${() => setChosen(n === chosen ? null : n)}
      onKeyDown=${(event) => (event.key === "Enter" || event.key === " ") && (event.preventDefault(), setChosen(n === chosen ? null : n))}>
      <title>${clip(node.label, 200)}</title>
      ${node.kind === "memory" ? html`<circle cx=${points[n].x} cy=${points[n].y} r=${points[n].r} />`
        : html`<rect x=${points[n].x - points[n].r} y=${points[n].y - points[n].r} width=${points[n].r * 2} height=${points[n].r * 2} rx=${node.kind === "file" ? 3 : points[n].r} />`}
      ${(labelled.has(n) || n === chosen) && html`<text x=${points[n].x} y=${points[n].y + (labelled.get(n) ?? points[n].r + 13)} text-anchor="middle">${named(node)}</text>`}</g>`)}</svg>`;
}

export function GraphView() {
  const { project, versions } = useStore();
  const [chosen, setChosen] = useState(null);
  const loaded = useLoad(async () => {
    const graph = await api.graph(project, 150); // what memories speak of is drawn over them
    return { ...graph, nodes: graph.nodes.toSorted((a, b) => (b.kind === "memory") - (a.kind === "memory")) };
  }, [project, versions.memories]);
  useEffect(() => setChosen(null), [loaded.data]);
  return html`<${Loaded} of=${loaded} rows=${8}>${(graph) => !graph.nodes.length ? html`<${Empty} icon="graph" title=${t("graph.none")}>${t("graph.none.text")}<//>`
    : html`<div class="graph-place"><div class="panel graph-panel"><${Picture} graph=${graph} chosen=${chosen} setChosen=${setChosen} />
        <p class="graph-key"><span class="dot-memory">${t("kind.memory")}</span><span class="dot-file">${t("kind.file")}</span><span class="dot-technology">${t("kind.technology")}</span>
          ${graph.left_out > 0 && html`<span class="quiet">${t("graph.left_out", { n: graph.left_out })}</span>`}</p></div>
      <aside class="panel graph-side" aria-live="polite" aria-label=${t("graph.chosen")}><${Beside} graph=${graph} chosen=${chosen} /></aside></div>`}<//>`;
}

function Beside({ graph, chosen }) {
  const node = graph.nodes[chosen];
  const by = new Map(graph.nodes.map((one) => [one.id, one]));
  if (!node) {
    const first = graph.nodes.filter((one) => one.kind !== "memory").sort((a, b) => b.weight - a.weight).slice(0, 12);
    return html`<h2>${t("graph.most")}</h2><p class="quiet">${t("graph.help")}</p><ul class="related">${first.map((one) => html`<li key=${one.id}>
      <a href=${link("memories", null, { q: one.label })}>${plain(one.label)}</a><span class="quiet">${t("n.memories", { n: one.weight })}</span></li>`)}</ul>`;
  }
  const near = graph.edges.filter((edge) => edge.source === node.id || edge.target === node.id).map((edge) => by.get(edge.source === node.id ? edge.target : edge.source)).filter(Boolean);
  const open = () => (node.kind === "memory" ? go("memories", node.id) : go("memories", null, { q: node.label }));
  return html`<p class="quiet">${word("kind", node.kind)}</p><h2 class="break">${plain(node.label)}</h2><button type="button" class="button small" onClick=${open}>${t(node.kind === "memory" ? "graph.open" : "graph.find")}</button>
    <h3>${t("graph.near", { n: near.length })}</h3><ul class="related">${near.slice(0, 40).map((one, n) => html`<li key=${n}>${one.kind === "memory" ? html`<a href=${link("memories", one.id)}>${plain(one.label)}</a>`
      : html`<a href=${link("memories", null, { q: one.label })}>${plain(one.label)}</a>`}</li>`)}</ul>`;
}

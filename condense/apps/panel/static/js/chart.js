// Activity over the days: memories as bars, tokens saved as a line over them; the numbers as a table for who cannot see it.
import { html, useEffect, useRef, useState } from "../vendor/htm-preact.mjs";
import { count, day, short } from "./format.js";
import { t } from "./i18n.js";

const HEIGHT = 190, TOP = 14, BOTTOM = 26, LEFT = 34, RIGHT = 44;

function steps(most, wanted = 3) {
  const rough = Math.max(most, 1) / wanted;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = Math.max(1, [1, 2, 5, 10].map((n) => n * power).find((n) => n >= rough));
  return Array.from({ length: Math.ceil(Math.max(most, 1) / step) + 1 }, (_, n) => n * step);
}

export function ActivityChart({ days }) {
  const at = useRef();
  const [width, setWidth] = useState(720);
  const [over, setOver] = useState(null);
  useEffect(() => {
    const watcher = new ResizeObserver(([entry]) => setWidth(Math.max(260, entry.contentRect.width)));
    watcher.observe(at.current);
    return () => watcher.disconnect();
  }, []);
  const bars = steps(Math.max(...days.map((one) => one.created), 1));
  const saved = steps(Math.max(...days.map((one) => one.tokens_saved), 1));
  const inner = width - LEFT - RIGHT, high = HEIGHT - TOP - BOTTOM;
  const slot = inner / days.length;
  const x = (n) => LEFT + slot * n;
  const y = (value, marks) => TOP + high * (1 - value / marks[marks.length - 1]);
  const path = days.map((one, n) => `${n ? "L" : "M"}${(x(n) + slot / 2).toFixed(1)} ${y(one.tokens_saved, saved).toFixed(1)}`).join("");
  const every = Math.ceil(days.length / Math.max(2, Math.floor(inner / 76)));
  const shown = over === null ? null : days[over];
  const point = (event) => {
    const box = event.currentTarget.getBoundingClientRect();
    setOver(Math.max(0, Math.min(days.length - 1, Math.floor((event.clientX - box.left - LEFT) / slot))));
  };
  return html`<figure class="chart" ref=${at}>
    <figcaption><span class="key-bar">${t("chart.created")}</span><span class="key-line">${t("chart.saved")}</span></figcaption>
    <svg width=${width} height=${HEIGHT} viewBox=${`0 0 ${width} ${HEIGHT}`} aria-hidden="true" onPointerMove=${point} onPointerLeave=${() => setOver(null)}>
      ${bars.map((mark) => html`<g key=${mark}><line class="rule" x1=${LEFT} x2=${width - RIGHT} y1=${y(mark, bars)} y2=${y(mark, bars)} />
        <text x=${LEFT - 8} y=${y(mark, bars) + 4} text-anchor="end">${short(mark)}</text></g>`)}
      ${saved.slice(1).map((mark) => html`<text key=${mark} x=${width - RIGHT + 8} y=${y(mark, saved) + 4}>${short(mark)}</text>`)}
      ${over !== null && html`<rect class="hover" x=${x(over)} y=${TOP} width=${slot} height=${high} />`}
      ${days.map((one, n) => one.created > 0 && html`<rect class="bar" key=${one.day} x=${x(n) + slot * 0.18} width=${slot * 0.64} rx="2"
        y=${y(one.created, bars)} height=${TOP + high - y(one.created, bars)} />`)}
      <path class="line" d=${path} />
      ${days.map((one, n) => one.compactions > 0 && html`<circle class="dot" key=${one.day} r="3" cx=${x(n) + slot / 2} cy=${y(one.tokens_saved, saved)} />`)}
      ${days.map((one, n) => n % every === 0 && html`<text key=${one.day} x=${x(n) + slot / 2} y=${HEIGHT - 6} text-anchor="middle">${day(one.day)}</text>`)}
    </svg>
    ${shown && html`<div class="chart-tip" aria-hidden="true" style=${{ left: `${Math.min(width - 190, Math.max(0, x(over) - 80))}px` }}>
      <strong>${day(shown.day, { day: "numeric", month: "long", year: "numeric" })}</strong>
      <span>${t("n.created", { n: shown.created })}</span><span>${t("n.compactions", { n: shown.compactions })}</span><span>${t("n.saved", { n: shown.tokens_saved })}</span></div>`}
    <div class="unseen"><table><caption>${t("chart.title")}</caption><thead><tr><th scope="col">${t("chart.day")}</th><th scope="col">${t("chart.created")}</th>
      <th scope="col">${t("card.compactions")}</th><th scope="col">${t("chart.saved")}</th></tr></thead>
      <tbody>${days.filter((one) => one.created || one.compactions).map((one) => html`<tr key=${one.day}><th scope="row">${one.day}</th><td>${count(one.created)}</td>
        <td>${count(one.compactions)}</td><td>${count(one.tokens_saved)}</td></tr>`)}</tbody></table></div></figure>`;
}

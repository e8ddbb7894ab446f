// What a compaction did, or would do: before and after side by side, the receipt, the originals.
import { html, useMemo, useRef, useState } from "../../vendor/htm-preact.mjs";
import { api } from "../api.js";
import { Button, Chip, Dialog, Empty, Failed, Loaded, LongText, More, Segments, Select, Time } from "../components.js";
import { bytes, count, exact, moment, percent, plain, short } from "../format.js";
import { t, word } from "../i18n.js";
import { Icon } from "../icons.js";
import { changed, failed, toast, undoWith, useLater, useLoad, useStore } from "../store.js";

const PAGE = 150;
function brief(text) {
  const lines = text.trimStart().split("\n");
  const head = lines.slice(0, 3).join("\n").slice(0, 200);
  return head.length < text.trim().length ? `${head}…` : head;
}

const LEVELS = ["verbatim", "reduced", "line", "folded"];

function Original({ handle, project, title, onClose }) {
  const loaded = useLoad(() => api.original(handle, project), [handle]);
  return html`<${Dialog} wide title=${title || t("original")} onClose=${onClose}><${Loaded} of=${loaded} rows=${6}>${(it) => html`<p class="quiet row"><code>${it.handle}</code><span>${bytes(it.bytes)}</span>
    <${Button} small onClick=${() => navigator.clipboard.writeText(it.text).then(() => toast(t("copied")), failed)}>${t("copy")}<//></p>
    <pre class="original" tabindex="0" role="region" aria-label=${t("original")}>${exact(it.text)}</pre>`}<//><//>`;
}

function Meter({ before, after, target }) {
  const wide = (n) => ({ width: `${Math.max(0.5, Math.min(100, (n / Math.max(before, 1)) * 100))}%` });
  return html`<div class="meter"><div class="meter-row"><span>${t("before")}</span><span class="track"><span style=${wide(before)}></span></span><strong>${count(before)}</strong></div>
    <div class="meter-row after"><span>${t("after")}</span><span class="track"><span style=${wide(after)}></span>${target && html`<span class="target" style=${{ left: wide(target).width }} title=${t("target")}></span>`}</span><strong>${count(after)}</strong></div>
    <p class="meter-text">${t("condense.saved", { part: percent(before - after, before), n: before - after })}</p></div>`;
}

function Lot({ items, one }) {
  const [shown, setShown] = useState(PAGE);
  return html`${items.slice(0, shown).map(one)}${items.length > shown && html`<li><${More} more=${() => setShown(shown + PAGE)} left=${items.length - shown} /></li>`}`;
}

function SideBySide({ it, onOriginal }) {
  const [chosen, setChosen] = useState(null);
  const [side, setSide] = useState("before");
  const [level, setLevel] = useState("");
  const after = useRef();
  const pick = (message) => {
    setChosen(message.index === chosen ? null : message.index);
    after.current?.querySelector(`[data-from="${Number(message.index)}"]`)?.scrollIntoView({ block: "nearest" });
  };
  const before = useMemo(() => (it.before || []).filter((one) => !level || one.level === level), [it.before, level]);
  const levels = useMemo(() => LEVELS.filter((one) => (it.before || []).some((message) => message.level === one)), [it.before]);
  return html`<div class="side-choice"><${Segments} label=${t("condense.side")} value=${side} onChange=${setSide} options=${[["before", t("before")], ["after", t("after")]]} /></div>
    <div class=${`sides show-${side}`}><section class="panel column before" aria-label=${t("before")}><header><h2>${t("before")}</h2><span class="quiet">${t("n.messages", { n: (it.before || []).length })} · ${t("n.tokens", { n: it.tokens_before })}</span>
        ${levels.length > 1 && html`<${Select} label=${t("condense.level")} value=${level} onChange=${setLevel} options=${[["", t("condense.level.all")], ...levels.map((one) => [one, word("level", one)])]} />`}</header>
        ${it.before ? html`<ol class="column-list" tabindex="0" aria-label=${t("before")}><${Lot} items=${before} one=${(message) => html`<li key=${message.index} class=${`unit ${message.level} ${message.kind} ${chosen === message.index ? "here" : ""}`}>
            <button type="button" class="unit-main" aria-pressed=${String(chosen === message.index)} onClick=${() => pick(message)}><span class="unit-head"><span>${word("message", message.kind)} <span class="quiet">#${message.index + 1}</span></span><span class=${`level ${message.level}`}>${word("level", message.level)}</span></span>
              <span class="unit-text">${brief(plain(message.text))}</span></button>
            <div class="unit-foot"><span>${t("n.tokens", { n: message.tokens })}</span><span class="quiet">${message.reason}</span>
              ${message.handle && html`<button type="button" class="link" onClick=${() => onOriginal(message.handle, `${word("message", message.kind)} #${message.index + 1}`)}>${t("original.see")}</button>`}</div></li>`} /></ol>`
          : html`<${Empty} icon="sessions" title=${t("condense.gone")}>${t("condense.gone.text")}<//>`}</section>
      <section class="panel column" aria-label=${t("after")} ref=${after}><header><h2>${t("after")}</h2><span class="quiet">${t("n.messages", { n: it.after.length })} · ${t("n.tokens", { n: it.tokens_after })}</span></header>
        <ol class="column-list" tabindex="0" aria-label=${t("after")}><${Lot} items=${it.after} one=${(message, n) => html`<li key=${n} class=${`unit ${message.from === null ? "made" : "verbatim"} ${message.from !== null && message.from === chosen ? "here" : ""}`} data-from=${message.from}>
            <div class="unit-head"><span>${word("message", message.kind)} ${message.from !== null && message.from !== undefined && html`<span class="quiet">#${message.from + 1}</span>`}</span><span class="quiet">${t("n.tokens", { n: message.tokens })}</span></div>
            <${LongText} text=${message.from !== null && message.text.length >= 400 ? `${message.text}…` : message.text} most=${message.from === null ? 6000 : 900} /></li>`} /></ol></section></div>`;
}

function Receipt({ receipt, onOriginal }) {
  const [by, setBy] = useState("order");
  const [shown, setShown] = useState(40);
  const rows = useMemo(() => (by === "saved" ? [...receipt].sort((a, b) => b.tokens_before - b.tokens_after - (a.tokens_before - a.tokens_after)) : receipt), [receipt, by]);
  const head = [["receipt.messages", "number"], ["receipt.what", ""], ["receipt.level", ""], ["receipt.why", ""], ["receipt.tokens", "number"], ["receipt.original", ""]];
  return html`<section class="panel receipt" aria-labelledby="receipt"><header><h2 id="receipt">${t("receipt")}</h2><span class="quiet">${t("n.units", { n: receipt.length })}</span>
      <${Segments} label=${t("filter.sort")} value=${by} onChange=${setBy} options=${[["order", t("receipt.by.order")], ["saved", t("receipt.by.saved")]]} /></header>
    <div class="table" tabindex="0" role="group" aria-label=${t("receipt.rows")}><table><thead><tr>${head.map(([key, kind]) => html`<th scope="col" class=${kind} key=${key}>${t(key)}</th>`)}</tr></thead>
      <tbody>${rows.slice(0, shown).map((row) => html`<tr key=${row.start}><td class="number">${row.end - row.start > 1 ? `${row.start + 1}–${row.end}` : row.start + 1}</td>
        <td class="what"><span class="clip">${plain(row.label) || word("unit", row.kind)}</span></td><td><span class=${`level ${row.level}`}>${word("level", row.level)}</span></td><td class="quiet why">${row.reason}</td>
        <td class="number">${count(row.tokens_before)} → ${count(row.tokens_after)}</td>
        <td>${row.handles.length > 0 && html`<button type="button" class="link mono" onClick=${() => onOriginal(row.handles[0], row.label)}>${row.handles[0]}</button>${row.handles.length > 1 && html`<span class="quiet"> +${row.handles.length - 1}</span>`}`}</td></tr>`)}</tbody></table></div>
    ${rows.length > shown && html`<div class="more"><${Button} small kind="ghost" onClick=${() => setShown(shown + 200)}>${t("list.more", { n: rows.length - shown })}<//></div>`}</section>`;
}

function Outcome({ it, project }) {
  const [original, setOriginal] = useState(null);
  const onOriginal = (handle, title) => setOriginal({ handle, title });
  const kinds = Object.entries(it.tokens_saved_by_kind || {}).filter(([, n]) => n > 0).sort((a, b) => b[1] - a[1]);
  const most = kinds.length ? kinds[0][1] : 1;
  return html`<div class="outcome"><div class="panel outcome-head"><${Meter} before=${it.tokens_before} after=${it.tokens_after} target=${it.target} />
      ${kinds.length > 0 && html`<div class="kinds"><h2>${t("condense.by_kind")}</h2><ul>${kinds.slice(0, 5).map(([kind, n]) => html`<li key=${kind}><span>${word("unit", kind)}</span><span class="track"><span style=${{ width: `${(n / most) * 100}%` }}></span></span><span>${short(n)}</span></li>`)}</ul></div>`}
      ${it.typed_messages !== undefined && html`<div class=${it.typed_verbatim === it.typed_messages ? "promise kept" : "promise"}><strong>${count(it.typed_verbatim)} / ${count(it.typed_messages)}</strong><span>${t("condense.typed")}</span></div>`}</div>
    ${it.error && html`<${Failed} error=${{ message: it.error }} />`}
    ${(it.notes || []).length > 0 && html`<ul class="warning">${it.notes.map((note, n) => html`<li key=${n}>${note}</li>`)}</ul>`}
    <${SideBySide} it=${it} onOriginal=${onOriginal} /><${Receipt} receipt=${it.receipt} onOriginal=${onOriginal} />
    ${original && html`<${Original} ...${original} project=${project} onClose=${() => setOriginal(null)} />`}</div>`;
}

// A slider that goes by ratios: from 1,000 tokens to all of the session.
function Now({ session }) {
  const most = Math.max(2000, session.totals.tokens);
  const least = Math.min(1000, most / 2);
  const from = (n) => Math.round((Math.log(n / least) / Math.log(most / least)) * 100);
  const to = (step) => { const n = least * (most / least) ** (step / 100); return n > 4000 ? Math.round(n / 500) * 500 : Math.round(n / 100) * 100; };
  const [step, setStep] = useState(from(Math.min(most * 0.5, Math.max(4000, most * 0.15))));
  const [focus, setFocus] = useState("");
  const target = useLater(to(step), 350);
  const about = useLater(focus, 500);
  const loaded = useLoad(() => api.condense(session.id, target, about), [session.id, target, about]);
  return html`<div class="panel dry-run"><div><h2>${t("dry.title")}</h2><p class="quiet">${t("dry.text")}</p></div>
      <label class="slider"><span>${t("target")} <output>${t("n.tokens", { n: to(step) })}</output></span>
        <input type="range" min="0" max="100" step="1" value=${step} aria-valuetext=${t("n.tokens", { n: to(step) })} onInput=${(event) => setStep(Number(event.target.value))} /></label>
      <label class="focus"><span>${t("dry.focus")}</span><input type="text" value=${focus} placeholder=${t("dry.focus.example")} onInput=${(event) => setFocus(event.target.value)} /></label></div>
    <div class=${loaded.loading && loaded.data ? "busy-place" : ""} aria-busy=${String(loaded.loading)}><span class="unseen" role="status">${loaded.loading ? t("dry.running") : ""}</span>
      <${Loaded} of=${loaded} rows=${9}>${(it) => html`<${Outcome} it=${it} project=${session.project} />`}<//></div>`;
}

function Record({ record, session }) {
  const { versions, language } = useStore();
  const loaded = useLoad(() => api.record(record.id), [record.id, versions.records, language]);
  const [asking, setAsking] = useState(false);
  const undo = async () => {
    setAsking(false);
    try {
      const answer = await api.undoRecord(record.id);
      toast(t("toast.record"), { undo: answer.undo && undoWith(answer.undo, () => changed("records")) });
      changed("records");
    } catch (error) {
      failed(error);
    }
  };
  return html`<div class="record-head"><p class="quiet">${word("source", record.source)} · ${moment(record.at)}</p>${record.undone ? html`<${Chip}>${t("record.undone")}<//>`
      : record.source === "proxy view" && html`<${Button} small icon="undo" onClick=${() => setAsking(true)}>${t("record.undo")}<//>`}</div>
    ${asking && html`<${Dialog} title=${t("record.undo")} onClose=${() => setAsking(false)} footer=${html`<${Button} kind="ghost" onClick=${() => setAsking(false)}>${t("cancel")}<//><${Button} kind="primary" onClick=${undo}>${t("record.undo")}<//>`}><p>${t("record.undo.text")}</p><//>`}
    <${Loaded} of=${loaded} rows=${9}>${(it) => html`<${Outcome} it=${it} project=${session.project} />`}<//>`;
}

export function Compactions({ session, wanted, choose }) {
  const records = [...session.records].sort((a, b) => String(b.at).localeCompare(String(a.at)));
  const chosen = wanted || records[0]?.id || "now";
  const record = records.find((one) => one.id === chosen);
  return html`<div class="compactions"><ul class="record-list" aria-label=${t("card.compactions")}>
      <li><button type="button" class="record" aria-pressed=${String(chosen === "now")} onClick=${() => choose("now")}><strong><${Icon} name="fold" />${t("condense.now")}</strong><span>${t("dry.short")}</span></button></li>
      ${records.map((one) => html`<li key=${one.id}><button type="button" class="record" aria-pressed=${String(chosen === one.id)} onClick=${() => choose(one.id)}>
        <strong>${one.undone ? html`<del>${short(one.tokens_before)} → ${short(one.tokens_after)}</del>` : html`${short(one.tokens_before)} → ${short(one.tokens_after)}`}</strong><span><${Time} at=${one.at} /> · ${word("source", one.source)}</span></button></li>`)}</ul>
    <div>${chosen === "now" ? html`<${Now} session=${session} />` : record ? html`<${Record} key=${record.id} record=${record} session=${session} />` : html`<${Failed} error=${{ message: t("record.gone") }} />`}</div></div>`;
}

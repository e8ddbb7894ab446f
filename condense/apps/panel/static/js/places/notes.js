// Notes: MEMORY.md by days, searched, edited; a change by hand meanwhile is shown beside one's own, never overwritten.
import { html, useEffect, useMemo, useRef, useState } from "../../vendor/htm-preact.mjs";
import { api } from "../api.js";
import { Button, Chip, Dialog, Empty, Heading, Key, Loaded, Marked, Search, Segments } from "../components.js";
import { day, plain } from "../format.js";
import { t } from "../i18n.js";
import { Icon } from "../icons.js";
import { changed, failed, toast, useKeys, useLater, useLoad, useStore } from "../store.js";
import { Summarise } from "./sessions.js";

// Which lines of a text the other one has not: enough to see what changed, not a merge.
function marksOf(mine, theirs) {
  const left = new Map();
  for (const line of theirs.split("\n")) left.set(line, (left.get(line) || 0) + 1);
  return mine.split("\n").map((line) => {
    const n = left.get(line) || 0;
    if (n) left.set(line, n - 1);
    return { line, differs: n === 0 };
  });
}

const Lines = ({ title, text, other, children }) => html`<section class="panel column"><header><h2>${title}</h2>${children}</header>
  <ol class="diff" tabindex="0" aria-label=${title}>${marksOf(text, other).map(({ line, differs }, n) => html`<li key=${n} class=${differs ? "differs" : ""}>${differs && html`<span class="unseen">${t("conflict.differs")}</span>`}${plain(line) || " "}</li>`)}</ol></section>`;

function Conflict({ mine, theirs, onTake, onKeep, onMerge }) {
  return html`<div class="conflict" role="alert"><h2><${Icon} name="warning" />${t("conflict.title")}</h2><p>${t("conflict.text")}</p></div>
    <div class="sides both"><${Lines} title=${t("conflict.theirs")} text=${theirs} other=${mine}><${Button} small onClick=${onTake}>${t("conflict.take")}<//><//>
      <${Lines} title=${t("conflict.mine")} text=${mine} other=${theirs}><${Button} small onClick=${onKeep}>${t("conflict.keep")}<//><//></div>
    <div class="row end"><${Button} kind="primary" onClick=${onMerge}>${t("conflict.merge")}<//></div>`;
}

function merged(mine, theirs) {
  const have = new Set(theirs.split("\n"));
  const fresh = mine.split("\n").filter((line) => line.trim() && !have.has(line));
  return [theirs.replace(/\n+$/, ""), ...fresh].filter(Boolean).join("\n") + "\n";
}

function Editor({ start, etag, onDone }) {
  const [text, setText] = useState(start);
  const [conflict, setConflict] = useState(null);
  const [saving, setSaving] = useState(false);
  const base = useRef(etag);
  const area = useRef();
  useEffect(() => area.current?.focus(), [conflict]);
  useEffect(() => {
    const warn = (event) => text !== start && event.preventDefault();
    addEventListener("beforeunload", warn);
    return () => removeEventListener("beforeunload", warn);
  }, [text]);
  const save = async (content = text) => {
    setSaving(true);
    try {
      await api.saveNotes(content, base.current);
      toast(t("toast.notes"));
      changed("notes");
      onDone();
    } catch (error) {
      if (error.status === 412 && error.body) {
        base.current = error.body.etag;
        setText(content);
        setConflict(error.body.content ?? "");
      } else failed(error);
    }
    setSaving(false);
  };
  if (conflict !== null)
    return html`<${Conflict} mine=${text} theirs=${conflict} onTake=${() => { setText(conflict); setConflict(null); }} onKeep=${() => save(text)}
      onMerge=${() => { setText(merged(text, conflict)); setConflict(null); }} />`;
  const keys = (event) => {
    if ((event.ctrlKey || event.metaKey) && (event.key === "s" || event.key === "Enter")) {
      event.preventDefault();
      save();
    }
  };
  return html`<div class="panel notes-editor"><label class="unseen" for="edit-notes">${t("notes.content")}</label>
    <textarea id="edit-notes" ref=${area} spellcheck="false" value=${text} onInput=${(event) => setText(event.target.value)} onKeyDown=${keys} rows=${Math.min(32, Math.max(14, text.split("\n").length + 2))}></textarea>
    <div class="row end"><span class="quiet grow">${t("notes.format")}</span><${Button} kind="ghost" onClick=${onDone}>${t("cancel")}<//>
      <${Button} kind="primary" disabled=${saving || text === start} onClick=${() => save()}>${t("save")}<//></div></div>`;
}

function Found({ q, mode, setMode }) {
  const { versions } = useStore();
  const loaded = useLoad(() => api.searchNotes(q, mode), [q, mode, versions.notes]);
  const words = q.toLowerCase().split(/\s+/).filter(Boolean);
  const spans = (text) => {
    const low = text.toLowerCase();
    return words.flatMap((one) => { const at = low.indexOf(one); return at < 0 ? [] : [[Array.from(text.slice(0, at)).length, Array.from(text.slice(0, at + one.length)).length]]; });
  };
  return html`<div class="row"><${Segments} label=${t("notes.mode")} value=${mode} onChange=${setMode} options=${[["or", t("notes.mode.or")], ["and", t("notes.mode.and")]]} /></div>
    <${Loaded} of=${loaded}>${(it) => it.items.length ? html`<p class="list-count" role="status">${t("n.found", { n: it.total })}</p><ul class="panel found">${it.items.map((one, n) => html`<li key=${n}>
        <span class="quiet mono">${one.path.split("/").pop()}:${one.start}${one.end > one.start ? `–${one.end}` : ""}</span><p><${Marked} text=${one.text} spans=${spans(one.text)} /></p></li>`)}</ul>`
      : html`<${Empty} icon="search" title=${t("notes.nothing")}>${t("notes.nothing.text")}<//>`}<//>`;
}

function Days({ lines }) {
  const days = useMemo(() => {
    const found = [];
    for (const line of [...lines].reverse()) {
      const last = found[found.length - 1];
      if (last && last.date === line.date) last.lines.push(line);
      else found.push({ date: line.date, lines: [line] });
    }
    return found;
  }, [lines]);
  return html`<div class="days">${days.map((one, n) => html`<section class="panel day" key=${n}><h2>${one.date ? day(one.date, { weekday: "short", day: "numeric", month: "long", year: "numeric" }) : t("notes.undated")}</h2>
    <ul>${one.lines.map((line) => html`<li key=${line.number}><span class="line-number" aria-label=${t("notes.line", { n: String(line.number) })}>${line.number}</span>
      <div>${line.items.map((item, at) => html`<p key=${at}>${plain(item)}</p>`)}</div>${line.source && html`<${Chip}>${line.source}<//>`}</li>`)}</ul></section>`)}</div>`;
}

function Pick({ onClose }) {
  const { project } = useStore();
  const loaded = useLoad(() => api.sessions({ project, limit: 8 }), [project]);
  return html`<${Dialog} title=${t("summarise.short")} onClose=${onClose}><p class="quiet">${t("summarise.pick.text")}</p><${Loaded} of=${loaded} rows=${4}>${(it) => it.items.length
    ? html`<ul class="picks">${it.items.map((one) => html`<li key=${one.id}><span class="clip">${plain(one.title) || t("session.untitled")}</span><${Summarise} id=${one.id} title=${one.title || t("session.untitled")} /></li>`)}</ul>`
    : html`<p>${t("sessions.none.text")}</p>`}<//><//>`;
}

export function Notes() {
  const { versions, language } = useStore();
  const [editing, setEditing] = useState(null);
  const [typed, setTyped] = useState("");
  const [mode, setMode] = useState("or");
  const [raw, setRaw] = useState(false);
  const [picking, setPicking] = useState(false);
  const q = useLater(typed.trim(), 200);
  const loaded = useLoad(async () => { const { data, etag } = await api.notes(); return { ...data, etag }; }, [versions.notes, language]);
  const edit = () => loaded.data && !editing && setEditing({ start: loaded.data.content, etag: loaded.data.etag });
  useKeys({ e: edit });
  const done = () => {
    setEditing(null);
    loaded.reload();
  };
  return html`<${Heading} title=${t("nav.notes")} text=${loaded.data ? loaded.data.path : t("notes.text")}>
      ${!editing && html`<${Button} icon="spark" onClick=${() => setPicking(true)}>${t("summarise.short")}<//><${Button} kind="primary" icon="edit" onClick=${edit}>${t("edit")}<${Key}>e<//><//>`}<//>
    ${picking && html`<${Pick} onClose=${() => setPicking(false)} />`}
    ${editing ? html`<${Editor} ...${editing} onDone=${done} />` : html`
      <div class="filters wide"><${Search} value=${typed} onChange=${setTyped} label=${t("notes.search")} />
        <${Segments} label=${t("notes.view")} value=${raw ? "raw" : "days"} onChange=${(value) => setRaw(value === "raw")} options=${[["days", t("notes.days")], ["raw", t("notes.raw")]]} /></div>
      ${q ? html`<${Found} q=${q} mode=${mode} setMode=${setMode} />` : html`<${Loaded} of=${loaded} rows=${7}>${(it) => !it.content.trim()
        ? html`<${Empty} icon="notes" title=${t("notes.none")} action=${html`<${Button} kind="primary" icon="edit" onClick=${edit}>${t("notes.none.action")}<//>`}>${t("notes.none.text")}<//>`
        : raw || !it.lines.length ? html`<pre class="panel raw" tabindex="0" role="region" aria-label=${t("notes.content")}>${plain(it.content)}</pre>` : html`<${Days} lines=${it.lines} />`}<//>`}`}`;
}

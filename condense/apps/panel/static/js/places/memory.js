// One memory: its text, where it was said with the exact words marked, what it replaced, where it was used.
import { html, useEffect, useRef, useState } from "../../vendor/htm-preact.mjs";
import { api } from "../api.js";
import { Button, Chip, Key, Loaded, Marked, Time } from "../components.js";
import { moment, percent, plain } from "../format.js";
import { t, word } from "../i18n.js";
import { Icon } from "../icons.js";
import { changed, failed, link, toast, undoWith, useLoad, useStore } from "../store.js";

function Editor({ memory, etag, onDone }) {
  const [content, setContent] = useState(memory.content);
  const [conflict, setConflict] = useState(null);
  const [saving, setSaving] = useState(false);
  const base = useRef(etag); // of the text that was there when editing began: a later change is found by it
  const area = useRef();
  useEffect(() => {
    area.current.focus();
    area.current.setSelectionRange(content.length, content.length);
  }, []);
  const save = async () => {
    setSaving(true);
    try {
      const { data } = await api.edit(memory.project, memory.id, content.trim(), base.current);
      toast(t("toast.edited"), { undo: data.undo && undoWith(data.undo) });
      changed("memories");
      onDone();
    } catch (error) {
      if (error.status === 412) {
        const { data, etag: now } = await api.memory(memory.project, memory.id);
        base.current = now;
        setConflict(data.content);
      } else failed(error);
    }
    setSaving(false);
  };
  const keys = (event) => {
    if (event.key === "Escape") onDone();
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && content.trim()) save();
  };
  return html`<div class="editor">
    ${conflict !== null && html`<div class="conflict" role="alert"><h3><${Icon} name="warning" />${t("conflict.title")}</h3><p>${t("conflict.memory")}</p>
      <h4>${t("conflict.theirs")}</h4><p class="stored">${conflict}</p></div>`}
    <label class="unseen" for="edit-memory">${t("memory.content")}</label>
    <textarea id="edit-memory" ref=${area} rows="5" value=${content} onInput=${(event) => setContent(event.target.value)} onKeyDown=${keys}></textarea>
    <div class="row end">${conflict !== null && html`<${Button} onClick=${() => { setContent(conflict); setConflict(null); }}>${t("conflict.take")}<//>`}
      <${Button} kind="ghost" onClick=${onDone}>${t("cancel")}<//>
      <${Button} kind="primary" disabled=${saving || !content.trim() || content === memory.content} onClick=${save}>${t(conflict === null ? "save" : "conflict.keep")}<//></div></div>`;
}

function Source({ source, id }) {
  if (!source) return html`<p class="quiet">${t("source.none")}</p>`;
  const place = source.session_path ? source.session_path.split("/").pop() : source.task;
  const spans = [[source.start, source.end], ...(source.heads || [])];
  return html`<p class="quiet row">${t("source.said", { place })}${source.message_index !== null && source.message_index !== undefined && html`<span>· ${t("source.message", { n: String(source.message_index + 1) })}</span>`}
      ${source.session && html`<a href=${link("sessions", source.session, { around: source.message_index })}>${t("source.open")}</a>`}</p>
    ${source.text === null || source.text === undefined ? html`<p class="warning">${source.why || t("source.gone")}</p>`
      : html`<blockquote class="source" tabindex="0" role="region" aria-label=${t("source.title")}><${Marked} text=${source.text} spans=${spans} /></blockquote>`}`;
}

const Related = ({ items, query, mark }) => html`<ul class="related">${items.map((one) => html`<li key=${one.id}>
  <a href=${link("memories", one.id, query)}>${mark ? html`<del>${plain(one.content)}</del>` : plain(one.content)}</a><${Time} at=${one.created_at} /></li>`)}</ul>`;

function Actions({ memory, act, edit }) {
  const pending = memory.status === "pending";
  const living = pending || memory.status === "persisted";
  return html`<div class="memory-actions" role="group" aria-label=${t("memory.actions")}>
    ${pending && html`<${Button} kind="primary" icon="check" onClick=${() => act(memory, "accept")}>${t("accept")}<${Key}>a<//><//>
      <${Button} icon="close" onClick=${() => act(memory, "dismiss")}>${t("dismiss")}<${Key}>d<//><//>`}
    ${living && html`<${Button} icon="edit" onClick=${edit}>${t("edit")}<${Key}>e<//><//>
      <${Button} icon="pin" aria-pressed=${String(memory.pinned)} onClick=${() => act(memory, memory.pinned ? "unpin" : "pin")}>${t(memory.pinned ? "unpin" : "pin")}<${Key}>p<//><//>`}
    ${memory.status !== "forgotten" && html`<${Button} icon="trash" kind="danger" onClick=${() => act(memory, "forget")}>${t("forget")}<${Key}>f<//><//>`}</div>`;
}

const Fact = ({ name, children }) => html`<div><dt>${name}</dt><dd>${children}</dd></div>`;

function Facts({ memory }) {
  const { projects } = useStore();
  const project = projects.find((one) => one.key === memory.project);
  return html`<dl class="facts">
    <${Fact} name=${t("filter.type")}>${word("type", memory.type)}<//>
    <${Fact} name=${t("filter.priority")}><span class=${`priority ${memory.priority}`}></span>${word("priority", memory.priority)}<//>
    <${Fact} name=${t("project")}>${project ? project.name : memory.project || "–"}<//>
    <${Fact} name=${t("fact.created")}>${moment(memory.created_at)}<//>
    <${Fact} name=${t("fact.used")}>${t("n.times", { n: memory.access_count })}${memory.accessed_at && html`, <${Time} at=${memory.accessed_at} />`}<//>
    <${Fact} name=${t("fact.confidence")}>${memory.explicit ? t("fact.explicit") : percent(memory.confidence, 1)}<//>
    ${memory.standing && html`<${Fact} name=${t("fact.standing")}>${t("fact.standing.text")}<//>`}
    ${memory.slots.length > 0 && html`<${Fact} name=${t("fact.slots")}>${memory.slots.map((slot) => html`<code key=${slot.name}>${slot.name} = ${slot.value}</code> `)}<//>`}
    ${[["files", "fact.files"], ["technologies", "fact.technologies"], ["tags", "fact.tags"]].map(([name, label]) => memory[name].length > 0 && html`<${Fact} key=${name} name=${t(label)}>
      ${memory[name].map((one) => html`<a class="chip" key=${one} href=${link("memories", null, { q: one })}>${one}</a> `)}<//>`)}</dl>`;
}

export function Memory({ id, project, query, editing, setEditing, act, back }) {
  const { versions, language } = useStore();
  const loaded = useLoad(async () => {
    const { data, etag } = await api.memory(project, id);
    return { memory: data, etag };
  }, [id, project, versions.memories, language]);
  return html`<div class="memory"><${Button} kind="ghost" small icon="back" class="back" onClick=${back}>${t("back")}<//>
    <${Loaded} of=${loaded} rows=${6}>${({ memory, etag }) => html`<article aria-labelledby="memory-text">
      <div class="row">${html`<${Chip} kind=${memory.status}>${word("status", memory.status)}<//>`}
        ${memory.pinned && html`<span class="pinned"><${Icon} name="pin" />${t("memory.pinned")}</span>`}</div>
      ${editing ? html`<${Editor} memory=${memory} etag=${etag} onDone=${() => setEditing(false)} />` : html`<h2 id="memory-text" class="memory-text">${plain(memory.content)}</h2>
        <${Actions} memory=${memory} act=${act} edit=${() => setEditing(true)} />`}
      ${memory.superseded_by_item && html`<section><h3>${t("memory.superseded_by")}</h3><${Related} items=${[memory.superseded_by_item]} query=${{}} /></section>`}
      ${memory.overtaken.length > 0 && html`<section><h3>${t("memory.overtaken")}</h3><ul class="related">${memory.overtaken.map((one, n) => html`<li key=${n}><span><del>${one.name} = ${one.value}</del> → ${one.later || t("memory.later")}</span></li>`)}</ul></section>`}
      <section><h3>${t("source.title")}</h3><${Source} source=${memory.source} /></section>
      <${Facts} memory=${memory} />
      ${(memory.supersedes_items || []).length > 0 && html`<section><h3>${t("memory.supersedes")}</h3><${Related} items=${memory.supersedes_items} query=${{}} mark /></section>`}
      ${(memory.used_in || []).length > 0 && html`<section><h3>${t("memory.used_in")}</h3><ul class="related">${memory.used_in.map((one) => html`<li key=${one.record}>
        <a href=${link("sessions", one.session, { record: one.record })}>${t("memory.used_in.one")}</a><${Time} at=${one.at} /></li>`)}</ul></section>`}
      ${(memory.sightings || []).length > 1 && html`<section><h3>${t("memory.sightings")}</h3><ul class="related">${memory.sightings.map((one, n) => html`<li key=${n}><span>${one.task}</span><${Time} at=${one.at} /></li>`)}</ul></section>`}
    </article>`}<//></div>`;
}

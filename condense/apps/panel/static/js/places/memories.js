// Memories: the list with its filters, one in detail beside it, and the graph.
import { html, useCallback, useEffect, useRef, useState } from "../../vendor/htm-preact.mjs";
import { api } from "../api.js";
import { Button, Chip, Dialog, Empty, Failed, Heading, Loading, More, Search, Segments, Select, Time } from "../components.js";
import { plain } from "../format.js";
import { GraphView } from "../graph.js";
import { t, word } from "../i18n.js";
import { Icon } from "../icons.js";
import { changed, failed, link, replace, toast, undoWith, useKeys, useLater, useStore } from "../store.js";
import { Memory } from "./memory.js";

const TYPES = ["user_instruction", "technical_decision", "configuration", "important_error", "project_context", "workflow_pattern"];
const PRIORITIES = ["critical", "high", "medium", "low"];
const CURRENT = "pending,persisted";
const PAGE = 50;

// The pages of the list that were loaded so far; a change from elsewhere asks for as many again.
function useList(query, version) {
  const [list, setList] = useState({ items: null, total: 0, next: null, facets: null, error: null, loading: true });
  const length = useRef(0);
  const turn = useRef(0);
  const key = JSON.stringify(query);
  const load = useCallback(async (cursor, limit) => {
    const mine = ++turn.current;
    setList((before) => ({ ...before, loading: true, error: null }));
    try {
      const got = await api.memories({ ...query, limit, cursor });
      if (mine !== turn.current) return;
      setList((before) => {
        const items = cursor ? [...before.items, ...got.items] : got.items;
        length.current = items.length;
        return { items, total: got.total, next: got.next, facets: got.facets || before.facets, error: null, loading: false };
      });
    } catch (error) {
      if (mine === turn.current) setList((before) => ({ ...before, error, loading: false }));
    }
  }, [key]);
  useEffect(() => {
    length.current = 0;
  }, [key]);
  useEffect(() => {
    load(undefined, Math.min(500, Math.max(PAGE, length.current)));
  }, [load, version]);
  return { ...list, reload: () => load(undefined, Math.max(PAGE, length.current)), more: () => list.next && !list.loading && load(list.next, PAGE) };
}

function Row({ item, here, chosen, onChoose, to }) {
  const at = useRef();
  useEffect(() => {
    if (here) at.current?.scrollIntoView({ block: "nearest" });
  }, [here]);
  return html`<li ref=${at} class=${`row-memory ${here ? "here" : ""} ${chosen ? "chosen" : ""}`}>
    <input type="checkbox" checked=${chosen} aria-label=${t("memory.select")} onChange=${onChoose} />
    <a href=${to} aria-current=${here ? "true" : undefined}><span class="row-text">${plain(item.content)}</span>
      <span class="row-meta"><span class=${`priority ${item.priority}`} title=${word("priority", item.priority)}></span><span>${word("type", item.type)}</span>
        ${item.pinned && html`<span class="pinned"><${Icon} name="pin" />${t("memory.pinned")}</span>`}<${Time} at=${item.created_at} />
        ${item.status !== "persisted" && html`<${Chip} kind=${item.status}>${word("status", item.status)}<//>`}</span></a></li>`;
}

function Add({ project, onClose }) {
  const { projects } = useStore();
  const [content, setContent] = useState("");
  const [type, setType] = useState("user_instruction");
  const [priority, setPriority] = useState("high");
  const [where, setWhere] = useState(project || projects[0]?.key || "");
  const save = async (event) => {
    event.preventDefault();
    try {
      await api.addMemory({ project: where, content: content.trim(), type, priority });
      toast(t("toast.added"));
      changed("memories");
      onClose();
    } catch (error) {
      failed(error);
    }
  };
  return html`<${Dialog} title=${t("memory.add")} onClose=${onClose}><form class="form" onSubmit=${save}>
    <label>${t("memory.content")}<textarea rows="4" required autofocus value=${content} placeholder=${t("memory.add.example")} onInput=${(event) => setContent(event.target.value)}></textarea></label>
    <div class="form-row"><${Select} seen label=${t("filter.type")} value=${type} onChange=${setType} options=${TYPES.map((one) => [one, t(`type.${one}`)])} />
      <${Select} seen label=${t("filter.priority")} value=${priority} onChange=${setPriority} options=${PRIORITIES.map((one) => [one, t(`priority.${one}`)])} />
      ${!project && projects.length > 0 && html`<${Select} seen label=${t("project")} value=${where} onChange=${setWhere} options=${projects.map((one) => [one.key, one.name])} />`}</div>
    <div class="form-end"><${Button} kind="ghost" onClick=${onClose}>${t("cancel")}<//><button class="button primary" disabled=${!content.trim()}>${t("memory.save")}</button></div></form><//>`;
}

export function Memories({ route }) {
  const { project, versions, language } = useStore();
  const { query, id } = route;
  const [typed, setTyped] = useState(query.q || "");
  const wanted = useLater(typed, 180);
  const [chosen, setChosen] = useState(new Set());
  const [adding, setAdding] = useState(false);
  const [editing, setEditing] = useState(false);
  const status = query.status || CURRENT;
  const graph = query.view === "graph";
  const asked = { project, status: status === "all" ? "" : status, type: query.type, priority: query.priority, pinned: query.pinned, q: query.q, sort: query.sort || (query.q ? "relevance" : "newest") };
  const list = useList(asked, `${versions.memories}${language}`);
  const items = list.items || [];
  const set = (changes, newId = id) => replace("memories", newId, { ...query, ...changes });
  useEffect(() => {
    if ((query.q || "") !== wanted) set({ q: wanted });
  }, [wanted]);
  useEffect(() => setChosen(new Set()), [project, status, query.type, query.priority, query.q]);
  useEffect(() => setEditing(false), [id]);

  const at = items.findIndex((one) => one.id === id);
  const current = items[at];
  const open = (n) => items[n] && set({}, items[n].id);
  const step = (by) => () => open(at < 0 ? 0 : Math.max(0, Math.min(items.length - 1, at + by)));

  // One change: it is done, can be taken back from the toast, and the next memory is at hand.
  const act = async (item, action) => {
    const n = items.findIndex((one) => one.id === item.id);
    try {
      const { undo, memory } = await api.act(item.project ?? project, item.id, action);
      toast(t(`toast.${action}`), { undo: undo && undoWith(undo) });
      const stays = !memory || status === "all" || status.split(",").includes(memory.status);
      if (!stays && id === item.id) set({}, (items[n + 1] || items[n - 1])?.id ?? null);
      changed("memories");
    } catch (error) {
      failed(error);
    }
  };
  const bulk = async (action) => {
    try {
      const where = [...new Set(items.filter((one) => chosen.has(one.id)).map((one) => one.project))];
      let done = 0;
      const undos = [];
      for (const one of where) {
        const answer = await api.bulk(one, items.filter((it) => chosen.has(it.id) && it.project === one).map((it) => it.id), action);
        done += typeof answer.done === "number" ? answer.done : answer.done.length;
        if (answer.undo) undos.push(answer.undo);
        for (const bad of answer.failed || []) failed(bad);
      }
      toast(t(`toast.bulk.${action}`, { n: done }), { undo: undos.length > 0 && (async () => { for (const undo of undos) await undoWith(undo)(); }) });
      setChosen(new Set());
      changed("memories");
    } catch (error) {
      failed(error);
    }
  };
  const choose = (one) => {
    const next = new Set(chosen);
    if (!next.delete(one.id)) next.add(one.id);
    setChosen(next);
  };
  const with_ = (does) => () => current && does(current);
  useKeys(graph ? {} : {
    j: step(1), k: step(-1), ArrowDown: step(1), ArrowUp: step(-1),
    a: with_((one) => one.status === "pending" && act(one, "accept")), d: with_((one) => one.status === "pending" && act(one, "dismiss")),
    p: with_((one) => act(one, one.pinned ? "unpin" : "pin")), f: with_((one) => act(one, "forget")), e: with_(() => setEditing(true)),
    x: with_(choose), Escape: () => (chosen.size ? setChosen(new Set()) : id && set({}, null)),
  });
  const facet = (name) => list.facets?.status?.[name];
  const filtered = query.q || query.type || query.priority || query.pinned;
  return html`<${Heading} title=${t("nav.memories")} text=${t("memories.text")}>
      <${Segments} label=${t("memories.view")} value=${graph ? "graph" : "list"} onChange=${(view) => set({ view: view === "graph" ? view : "" }, graph ? id : null)}
        options=${[["list", html`<${Icon} name="list" />${t("view.list")}`], ["graph", html`<${Icon} name="graph" />${t("view.graph")}`]]} />
      <${Button} kind="primary" icon="plus" onClick=${() => setAdding(true)}>${t("memory.add.short")}<//><//>
    ${adding && html`<${Add} project=${project} onClose=${() => setAdding(false)} />`}
    ${graph ? html`<${GraphView} />` : html`<div class=${`split ${id ? "open" : ""}`}>
      <section class="split-list" aria-label=${t("memories.list")}>
        <div class="filters"><${Search} value=${typed} onChange=${setTyped} label=${t("memories.search")} />
          <${Segments} label=${t("filter.status")} value=${status} onChange=${(value) => set({ status: value === CURRENT ? "" : value }, null)} options=${[
            [CURRENT, t("status.current")], ["pending", t("status.pending"), facet("pending")], ["persisted", t("status.persisted"), facet("persisted")], ["superseded", t("status.superseded"), facet("superseded")]]} />
          <div class="filter-row"><${Select} label=${t("filter.type")} value=${query.type || ""} onChange=${(type) => set({ type })} options=${[["", t("filter.type.all")], ...TYPES.map((one) => [one, t(`type.${one}`)])]} />
            <${Select} label=${t("filter.priority")} value=${query.priority || ""} onChange=${(priority) => set({ priority })} options=${[["", t("filter.priority.all")], ...PRIORITIES.map((one) => [one, t(`priority.${one}`)])]} />
            <${Select} label=${t("filter.sort")} value=${asked.sort} onChange=${(sort) => set({ sort })} options=${["relevance", "newest", "priority", "used"].filter((one) => query.q || one !== "relevance").map((one) => [one, t(`sort.${one}`)])} />
            <button type="button" class="toggle" aria-pressed=${String(query.pinned === "true")} onClick=${() => set({ pinned: query.pinned ? "" : "true" })}><${Icon} name="pin" />${t("memory.pinned")}</button></div></div>
        ${chosen.size > 0 && html`<div class="bulk" role="group" aria-label=${t("bulk")}><strong>${t("n.chosen", { n: chosen.size })}</strong>
          <${Button} small icon="check" onClick=${() => bulk("accept")}>${t("accept")}<//><${Button} small icon="close" onClick=${() => bulk("dismiss")}>${t("dismiss")}<//>
          <${Button} small icon="trash" onClick=${() => bulk("forget")}>${t("forget")}<//><${Button} small kind="ghost" onClick=${() => setChosen(new Set())}>${t("bulk.none")}<//></div>`}
        <p class="list-count" role="status">${list.items && t("n.memories", { n: list.total })}</p>
        ${list.error && html`<${Failed} error=${list.error} retry=${list.reload} />`}
        ${!list.items ? !list.error && html`<${Loading} rows=${8} />` : items.length ? html`<ul class="rows">${items.map((item) => html`<${Row} key=${item.id} item=${item} here=${item.id === id}
            chosen=${chosen.has(item.id)} onChoose=${() => choose(item)} to=${link("memories", item.id, query)} />`)}</ul>
            ${list.next && html`<${More} more=${list.more} loading=${list.loading} left=${list.total - items.length} />`}`
          : filtered ? html`<${Empty} icon="search" title=${t("memories.nothing")} action=${html`<${Button} onClick=${() => { setTyped(""); set({ q: "", type: "", priority: "", pinned: "" }); }}>${t("filter.clear")}<//>`}>${t("memories.nothing.text")}<//>`
          : html`<${Empty} icon="memories" title=${t(`memories.none.${status === "pending" || status === "superseded" ? status : "all"}`)}>${t(`memories.none.${status === "pending" || status === "superseded" ? status : "all"}.text`)}<//>`}
      </section>
      <section class="split-detail" aria-label=${t("memory.one")}>
        ${id ? html`<${Memory} key=${id} id=${id} project=${current?.project ?? project} query=${query} editing=${editing} setEditing=${setEditing} act=${act} back=${() => set({}, null)} />`
          : html`<${Empty} icon="memories" title=${t("memory.none")}>${t("memory.none.text")}<//>`}</section></div>`}`;
}

// Sessions: those found on this machine and the threads of the store; one of them with its timeline and its compactions.
import { html, useEffect, useState } from "../../vendor/htm-preact.mjs";
import { api } from "../api.js";
import { Button, Chip, Dialog, Empty, Failed, Heading, Loaded, Loading, More, Search, Select, Tabs, Time } from "../components.js";
import { bytes, count, moment, plain, short } from "../format.js";
import { t, word } from "../i18n.js";
import { Icon } from "../icons.js";
import { changed, failed, link, replace, toast, useKeys, useLater, useLoad, useStore } from "../store.js";
import { Compactions } from "./compaction.js";
import { Timeline } from "./timeline.js";

const AGENTS = ["claude-code", "codex", "roo", "cline", "opencode"];

// What tells sessions with one title apart: that it is a copy of ours, and when it began.
const Copy = ({ of }) => of.copy && html`<${Chip} title=${t("session.copy.text")}>${t("session.copy")}<//>`;

const short8 = (path) => /([0-9a-f]{8})-[0-9a-f]{4}-/.exec(path || "")?.[1];

// The server cuts titles at 120 characters.
const headline = (title) => (title ? plain(title) + (title.length >= 120 ? "…" : "") : t("session.untitled"));

export function Sessions({ route }) {
  return route.id ? html`<${Session} key=${route.id} id=${route.id} query=${route.query} />` : html`<${List} query=${route.query} />`;
}

function List({ query }) {
  const { project, versions, language } = useStore();
  const [typed, setTyped] = useState(query.q || "");
  const q = useLater(typed, 200);
  const [agent, setAgent] = useState("");
  const [everywhere, setEverywhere] = useState(query.everywhere || "");
  const [pages, setPages] = useState({ items: [], next: null });
  const [here, setHere] = useState(-1);
  const wanted = { q, agent, project: everywhere ? "" : project, limit: 50 };
  const loaded = useLoad(() => api.sessions(wanted), [q, agent, project, everywhere, versions.sessions, language]);
  const [loading, setLoading] = useState(false);
  useEffect(() => loaded.data && setPages({ items: loaded.data.items, next: loaded.data.next }), [loaded.data]);
  const more = async () => {
    if (loading || !pages.next) return;
    setLoading(true);
    try {
      const got = await api.sessions({ ...wanted, cursor: pages.next });
      setPages({ items: [...pages.items, ...got.items], next: got.next });
    } catch (error) {
      failed(error);
    }
    setLoading(false);
  };
  const focus = (n) => {
    const next = Math.max(0, Math.min(pages.items.length - 1, n));
    setHere(next);
    document.querySelectorAll(".session-row a")[next]?.focus();
  };
  useKeys({ j: () => focus(here + 1), k: () => focus(here - 1) });
  const isOne = (one) => one.copy || pages.items.some((other) => other !== one && other.title === one.title);
  const agents = [...new Set([...AGENTS, ...pages.items.map((one) => one.agent)])];
  return html`<${Heading} title=${t("nav.sessions")} text=${t("sessions.text")} />
    <div class="filters wide"><${Search} value=${typed} onChange=${setTyped} label=${t("sessions.search")} />
      <${Select} label=${t("sessions.agent")} value=${agent} onChange=${setAgent} options=${[["", t("sessions.agent.all")], ...agents.map((one) => [one, word("agent", one)])]} />
      ${project && html`<${Select} label=${t("sessions.where")} value=${everywhere} onChange=${setEverywhere} options=${[["", t("sessions.here")], ["1", t("sessions.everywhere")]]} />`}</div>
    <${Loaded} of=${loaded} rows=${7}>${(data) => !pages.items.length && !data.items.length ? html`<${Empty} icon="sessions" title=${t("sessions.none")}
        action=${project && !everywhere && html`<${Button} onClick=${() => setEverywhere("1")}>${t("sessions.everywhere")}<//>`}>${t(q || agent ? "sessions.none.filter" : "sessions.none.text")}<//>`
      : html`<p class="list-count" role="status">${t("n.sessions", { n: data.total })}</p><ul class="rows panel">${pages.items.map((one) => html`<li class="session-row" key=${one.id}><a href=${link("sessions", one.id)}>
          <span class="session-title"><strong>${headline(one.title)}</strong><span class="quiet break">${one.folder || one.path}</span></span>
          <span class="session-meta"><${Chip}>${one.thread ? t("sessions.thread") : word("agent", one.agent)}<//><${Copy} of=${one} />
            ${isOne(one) && one.started_at && html`<span>${t("session.began", { when: moment(one.started_at) })} <code>${short8(one.path)}</code></span>`}
            ${one.messages !== null && html`<span>${t("n.messages", { n: one.messages })}</span>`}<span>${bytes(one.size)}</span>
            ${one.compactions > 0 && html`<span class="folded-count"><${Icon} name="fold" />${t("n.compactions", { n: one.compactions })}</span>`}<${Time} at=${one.updated_at} /></span></a></li>`)}</ul>
        ${pages.next && html`<${More} more=${more} loading=${loading} left=${data.total - pages.items.length} />`}`}<//>`;
}

export function Summarise({ id, title }) {
  const [asking, setAsking] = useState(false);
  const [busy, setBusy] = useState(false);
  const run = async () => {
    setAsking(false);
    setBusy(true);
    try {
      const answer = await api.summarize(id);
      toast([answer.message, answer.summary].filter(Boolean).join(" — ") || t("toast.summarised"));
      changed("notes");
    } catch (error) {
      failed(error);
    }
    setBusy(false);
  };
  return html`<${Button} small icon="notes" disabled=${busy} class=${busy ? "busy" : ""} onClick=${() => setAsking(true)}>${t(busy ? "summarise.busy" : "summarise")}<//>
    ${asking && html`<${Dialog} title=${t("summarise.title")} onClose=${() => setAsking(false)} footer=${html`<${Button} kind="ghost" onClick=${() => setAsking(false)}>${t("cancel")}<//>
      <${Button} kind="primary" onClick=${run}>${t("summarise")}<//>`}><p>${t("summarise.text", { title })}</p><//>`}`;
}

function Session({ id, query }) {
  const { versions, language } = useStore();
  const loaded = useLoad(() => api.session(id), [id, versions.records, versions.sessions, language]);
  const tab = query.tab || (query.record ? "compactions" : "timeline");
  const show = (name) => replace("sessions", id, { tab: name === "timeline" ? "" : name });
  const back = html`<a class="button ghost small back-always" href=${link("sessions")}><${Icon} name="back" />${t("nav.sessions")}</a>`;
  if (loaded.data === null)
    return html`${back}<h1 class="unseen" tabindex="-1">${t("nav.sessions")}</h1>${loaded.error ? html`<${Failed} error=${loaded.error} retry=${loaded.reload} />` : html`<${Loading} rows=${8} />`}`;
  const it = loaded.data;
  const title = headline(it.title);
  return html`${back}<${Heading} title=${title}><${Summarise} id=${id} title=${title} />
      <${Button} small kind="primary" icon="fold" onClick=${() => replace("sessions", id, { tab: "compactions", run: "1" })}>${t("condense.now")}<//><//>
    <p class="session-facts quiet"><${Chip}>${it.thread ? t("sessions.thread") : word("agent", it.agent)}<//><${Copy} of=${it} /><span class="break">${it.path}</span><span>${moment(it.updated_at)}</span><span>${bytes(it.size)}</span></p>
    <ul class="numbers">${[["session.messages", it.messages], ["session.tokens", it.totals.tokens], ["session.typed", it.totals.typed], ["session.tools", it.totals.tools], ["session.compactions", it.records.length]]
      .map(([key, n]) => html`<li key=${key}><strong>${key === "session.tokens" ? short(n) : n === null ? "–" : count(n)}</strong><span>${t(key, { n })}</span></li>`)}</ul>
    ${it.warnings.length > 0 && html`<details class="warning"><summary>${t("n.warnings", { n: it.warnings.length })}</summary><ul>${it.warnings.map((one, n) => html`<li key=${n}>${one}</li>`)}</ul></details>`}
    <${Tabs} label=${t("session.views")} value=${tab} onChange=${show} options=${[["timeline", t("session.timeline")], ["compactions", t("session.beforeafter"), it.records.length]]}>
      ${tab === "timeline" ? html`<${Timeline} id=${id} records=${it.records} total=${it.messages} around=${query.around === undefined ? null : Number(query.around)} version=${versions.records} />`
        : html`<${Compactions} session=${it} wanted=${query.run ? "now" : query.record} choose=${(record) => replace("sessions", id, { tab: "compactions", ...(record === "now" ? { run: "1" } : { record }) })} />`}<//>`;
}

// Overview: what was remembered and saved, day by day, and the newest turns.
import { html, useState } from "../../vendor/htm-preact.mjs";
import { api } from "../api.js";
import { ActivityChart } from "../chart.js";
import { Chip, Empty, Heading, Loaded, Segments, Time } from "../components.js";
import { count, money, plain, short } from "../format.js";
import { t } from "../i18n.js";
import { Icon } from "../icons.js";
import { link, useLoad, useStore } from "../store.js";

const Card = ({ name, value, text, href, strong }) => {
  const inside = html`<span class="card-name">${name}</span><span class="card-value">${value}</span><span class="card-text" title=${text}>${text}</span>`;
  return html`<li class=${strong ? "card strong" : "card"}>${href ? html`<a href=${href}>${inside}</a>` : html`<div>${inside}</div>`}</li>`;
};

function Cards({ it }) {
  const saved = it.cost_saved;
  return html`<ul class="cards">
    <${Card} strong=${it.pending > 0} name=${t("card.pending")} value=${count(it.pending)} text=${t(it.pending ? "card.pending.text" : "card.pending.none")} href=${link("memories", null, { status: "pending" })} />
    <${Card} name=${t("card.persisted")} value=${short(it.persisted)} text=${t("n.superseded", { n: it.superseded })} href=${link("memories", null, { status: "persisted" })} />
    <${Card} name=${t("card.created")} value=${count(it.created_this_turn)} text=${t("n.week", { n: it.created_this_week })} href=${link("memories", null, { status: "pending,persisted", sort: "newest" })} />
    <${Card} name=${t("card.compactions")} value=${count(it.compactions)} text=${t("card.compactions.text")} href=${link("sessions")} />
    <${Card} name=${t("card.saved")} value=${short(it.tokens_saved)} text=${t("card.saved.text")} />
    <${Card} name=${t("card.cost")} value=${saved ? money(saved) : "–"} text=${saved ? saved.explained || saved.model : t("card.cost.none")} /></ul>`;
}

function Turn({ turn }) {
  const parts = [["memories", "n.created", turn.memories_created], ["file", "n.files", turn.files_changed], ["tool", turn.tools_used ? "n.tools" : "turn.none", turn.tools_used]]
    .filter(([icon, , n]) => n || icon === "tool").map(([icon, key, n]) => [icon, t(key, { n })]);
  const words = plain(turn.words);
  return html`<li class="turn">
    <div class="turn-head"><a href=${link("sessions", turn.session)}>${plain(turn.title) || t("session.untitled")}</a><${Time} at=${turn.at} /></div>
    ${words !== plain(turn.title) && html`<p class="turn-words quiet">${words}</p>`}
    <ul class="turn-parts">${parts.map(([icon, text]) => html`<li key=${icon}><${Icon} name=${icon} />${text}</li>`)}
      ${turn.pending > 0 && html`<li><a class="chip pending" href=${link("memories", null, { status: "pending" })}>${t("n.pending", { n: turn.pending })}</a></li>`}</ul></li>`;
}

export function Overview() {
  const { project, versions, language } = useStore();
  const [days, setDays] = useState(30);
  const loaded = useLoad(() => api.overview(project, days), [project, days, language, versions.memories, versions.records, versions.sessions]);
  return html`<${Heading} title=${t("nav.overview")} text=${t("overview.text")}>
      <${Segments} label=${t("overview.range")} value=${days} onChange=${setDays} options=${[7, 30, 90].map((n) => [n, t("n.days", { n })])} /><//>
    <${Loaded} of=${loaded} rows=${8}>${(it) => html`<div>
      <${Cards} it=${it} />
      <section class="panel" aria-labelledby="activity"><h2 id="activity">${t("chart.title")}</h2>
        ${it.activity.some((one) => one.created || one.compactions) ? html`<${ActivityChart} days=${it.activity} />` : html`<${Empty} icon="overview" title=${t("chart.none")}>${t("chart.none.text")}<//>`}</section>
      <div class="two">
        <section class="panel" aria-labelledby="turns"><h2 id="turns">${t("turns.title")}</h2>
          ${it.turns.length ? html`<ul class="turns">${it.turns.map((turn, n) => html`<${Turn} key=${`${turn.session}${turn.at}${n}`} turn=${turn} />`)}</ul>`
            : html`<${Empty} icon="sessions" title=${t("turns.none")} action=${html`<a class="button" href=${link("settings")}>${t("turns.none.action")}</a>`}>${t("turns.none.text")}<//>`}</section>
        <div>
          <section class="panel" aria-labelledby="proxy"><h2 id="proxy">${t("proxy.title")}</h2><${Proxy} proxy=${it.proxy} /></section>
          <section class="panel" aria-labelledby="failures"><h2 id="failures">${t("failures.title")}</h2>
            ${it.failures.length ? html`<ul class="failures">${it.failures.map((one, n) => html`<li key=${n}><div><strong>${one.what}</strong><${Time} at=${one.at} /></div><p>${plain(one.message)}</p></li>`)}</ul>`
              : html`<p class="quiet good"><${Icon} name="check" />${t("failures.none")}</p>`}</section></div></div></div>`}<//>`;
}

function Proxy({ proxy }) {
  if (!proxy || !proxy.running)
    return html`<p class="quiet">${t("proxy.off")}</p>
      <p class="quiet">${t("proxy.installed")}</p><pre class="command" tabindex="0">holdfast install claude-code --proxy</pre>
      <p class="quiet">${t("proxy.alone")}</p><pre class="command" tabindex="0">holdfast proxy</pre>`;
  return html`<p class="row"><${Chip} kind="ok">${t("proxy.on")}<//><span class="quiet">${t("proxy.port", { port: String(proxy.port) })} · ${proxy.mode}</span></p>
    <p class="quiet">${t("n.compactions", { n: proxy.compactions })} · ${t("n.failures", { n: proxy.failures })}</p>`;
}

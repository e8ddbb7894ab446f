// A session as it went: its messages, and what each compaction folded as one block that opens.
import { html, useEffect, useRef, useState } from "../../vendor/htm-preact.mjs";
import { api } from "../api.js";
import { Button, Empty, Failed, Loading, LongText, More, Time } from "../components.js";
import { exact, plain } from "../format.js";
import { t, word } from "../i18n.js";
import { Icon } from "../icons.js";
import { failed, link } from "../store.js";

const PAGE = 100;
const ICONS = { typed: "person", assistant: "spark", tool_call: "tool", tool_result: "tool", command: "keyboard", summary: "fold" };
// What the client says of a command that it ran.
const TOLD = /^\s*<local-command-(stdout|stderr|caveat)>([^]*?)(?:<\/local-command-\1>\s*)?$/;
const readable = ({ command, kind }, text) => plain(command ?? (kind === "notice" ? text.replace(TOLD, "$2") : text));

function Message({ session, message, here }) {
  const at = useRef();
  const [whole, setWhole] = useState(null);
  const [asWritten, setAsWritten] = useState(false);
  const text = whole ?? message.text;
  const isOther = readable(message, text) !== exact(text);
  const shown = asWritten || !isOther ? text : readable(message, text);
  const cut = message.cut && whole === null && (asWritten || !message.command);
  useEffect(() => {
    if (here) at.current.scrollIntoView({ block: "center" });
  }, [here]);
  const fetchWhole = async () => {
    try {
      setWhole((await api.message(session, message.index)).text);
    } catch (error) {
      failed(error);
    }
  };
  return html`<li ref=${at} class=${`message ${message.kind} ${here ? "here" : ""}`}>
    <span class="message-icon"><${Icon} name=${ICONS[message.kind] || "file"} /></span>
    <div class="message-body"><p class="message-head"><strong>${word("message", message.kind)}</strong>${message.tool && html`<code>${message.tool}</code>`}
      <span class="quiet">#${message.index + 1}</span><span class="quiet">${t("n.tokens", { n: message.tokens })}</span>${message.at && html`<${Time} at=${message.at} />`}
      ${message.importance !== null && message.importance !== undefined && html`<span class="importance" title=${t("message.importance")}><span style=${{ width: `${Math.round(Math.min(1, message.importance) * 100)}%` }}></span></span>`}</p>
      <${LongText} text=${shown} asWritten=${asWritten} cut=${cut} onMore=${fetchWhole} most=${message.kind === "typed" ? 2000 : message.kind === "assistant" ? 700 : 260}
        mono=${message.kind.startsWith("tool")} label=${`${word("message", message.kind)} #${message.index + 1}`} />
      ${isOther && html`<button type="button" class="link as-written" aria-pressed=${String(asWritten)} onClick=${() => setAsWritten(!asWritten)}>${t(asWritten ? "message.shown" : "message.original")}</button>`}</div></li>`;
}

function Folded({ session, record, id, messages, here }) {
  const inside = messages.some((one) => one.index === here);
  const [open, setOpen] = useState(inside);
  const tokens = messages.reduce((sum, one) => sum + one.tokens, 0);
  return html`<li class="folded-block"><div class="folded-head"><button type="button" class="fold-button" aria-expanded=${String(open)} onClick=${() => setOpen(!open)}>
      <${Icon} name="chevron" /><span>${t("n.folded", { n: messages.length })}</span></button>
      <span class="quiet">${t("n.tokens", { n: tokens })}${record && html` · <${Time} at=${record.at} />`}</span>
      <a href=${link("sessions", session, { record: id })}>${t("timeline.see")}</a></div>
    ${open && html`<ol class="messages">${messages.map((one) => html`<${Message} key=${one.index} session=${session} message=${one} here=${one.index === here} />`)}</ol>`}</li>`;
}

export function Timeline({ id, records, total, around, version }) {
  const begin = around === null ? 0 : Math.max(0, around - 15);
  const [list, setList] = useState({ items: null, next: null, error: null, loading: true });
  const load = async (from, where, limit = PAGE) => {
    setList((before) => ({ ...before, loading: true, error: null }));
    try {
      const { items, total: of } = await api.messages(id, { from, limit });
      setList((before) => {
        const all = where === "after" ? [...before.items, ...items] : where === "before" ? [...items, ...before.items] : items;
        const last = all.length ? all[all.length - 1].index + 1 : 0;
        return { items: all, more: items.length > 0 && last < (of ?? total ?? last), total: of ?? total, error: null, loading: false };
      });
    } catch (error) {
      setList((before) => ({ ...before, error, loading: false }));
    }
  };
  const number = useRef(0);
  number.current = list.items?.length || 0;
  useEffect(() => void load(begin, null, Math.min(500, Math.max(PAGE, number.current))), [id, begin, version]);
  if (!list.items) return list.error ? html`<${Failed} error=${list.error} retry=${() => load(begin)} />` : html`<${Loading} rows=${9} />`;
  if (!list.items.length) return html`<${Empty} icon="sessions" title=${t("timeline.none")}>${t("timeline.none.text")}<//>`;
  const groups = [];
  for (const one of list.items) {
    const last = groups[groups.length - 1];
    if (one.folded_by && last && last.by === one.folded_by) last.messages.push(one);
    else groups.push({ by: one.folded_by || null, messages: [one] });
  }
  const first = list.items[0].index;
  const last = list.items[list.items.length - 1].index;
  return html`${first > 0 && html`<div class="more"><${Button} small kind="ghost" disabled=${list.loading} onClick=${() => load(Math.max(0, first - PAGE), "before", Math.min(PAGE, first))}>${t("timeline.earlier", { n: first })}<//></div>`}
    <ol class="messages panel">${groups.map((group) => group.by ? html`<${Folded} key=${`f${group.messages[0].index}`} session=${id} id=${group.by} record=${records.find((one) => one.id === group.by)} messages=${group.messages} here=${around} />`
      : group.messages.map((one) => html`<${Message} key=${one.index} session=${id} message=${one} here=${one.index === around} />`))}</ol>
    ${list.error && html`<${Failed} error=${list.error} retry=${() => load(last + 1, "after")} />`}
    ${list.more && html`<${More} loading=${list.loading} more=${() => list.loading || load(last + 1, "after")} left=${(list.total ?? 0) - last - 1} />`}`;
}

// Small parts that all places are made of.
import { html, useEffect, useRef, useState } from "../vendor/htm-preact.mjs";
import { ago, count, exact, moment, pieces, plain } from "./format.js";
import { t } from "./i18n.js";
import { Icon } from "./icons.js";
import { dismissToast, holdToast, useStore, whatFailed } from "./store.js";

const names = (...all) => all.filter(Boolean).join(" ");

export function Button({ icon, kind = "", small, children, label, hint, ...more }) {
  return html`<button type="button" ...${more} aria-label=${label} title=${label && !hint ? label : hint}
    class=${names("button", kind, small && "small", !children?.length && !children && "square", more.class)}>
    ${icon && html`<${Icon} name=${icon} />`}${children}</button>`;
}

export const Chip = ({ kind, children, ...more }) => html`<span class=${names("chip", kind)} ...${more}>${children}</span>`;
export const Time = ({ at }) => html`<time datetime=${at || undefined} title=${moment(at)}>${ago(at)}</time>`;
export const Key = ({ children }) => html`<kbd>${children}</kbd>`;

export const Heading = ({ title, text, children }) => html`<header class="heading">
  <div><h1 tabindex="-1">${title}</h1>${text && html`<p class="quiet">${text}</p>`}</div>
  ${children && html`<div class="actions">${children}</div>`}</header>`;

export const Empty = ({ icon, title, children, action }) => html`<div class="empty">
  <span class="empty-icon"><${Icon} name=${icon} /></span><h2>${title}</h2><p>${children}</p>${action}</div>`;

export const Loading = ({ rows = 5, label }) => html`<div class="loading" role="status">
  <span class="unseen">${label || t("loading")}</span>
  ${Array.from({ length: rows }, (_, n) => html`<span class=${`bone w${n % 4}`} key=${n}></span>`)}</div>`;

export const Failed = ({ error, retry }) => html`<div class="failed" role="alert">
  <${Icon} name="warning" /><div><strong>${t("error.title")}</strong><p>${whatFailed(error)}</p></div>
  ${retry && html`<${Button} small onClick=${retry}>${t("retry")}<//>`}</div>`;

// What was loaded, or how it stands: bones at first, the last good answer with a notice when a later one fails.
export function Loaded({ of, rows, children }) {
  if (of.data === null) return of.error ? html`<${Failed} error=${of.error} retry=${of.reload} />` : html`<${Loading} rows=${rows} />`;
  return html`${of.error && html`<${Failed} error=${of.error} retry=${of.reload} />`}${children(of.data)}`;
}

export function Segments({ label, options, value, onChange }) {
  return html`<div class="segments" role="group" aria-label=${label}>
    ${options.map(([key, text, badge]) => html`<button type="button" key=${key} aria-pressed=${String(value === key)} onClick=${() => onChange(key)}>
      ${text}${badge !== undefined && html`<span class="count">${count(badge)}</span>`}</button>`)}</div>`;
}

export function Tabs({ label, options, value, onChange, children }) {
  const move = (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    const at = options.findIndex(([key]) => key === value);
    const next = options[(at + step + options.length) % options.length][0];
    onChange(next);
    document.getElementById(`tab-${next}`)?.focus();
  };
  return html`<div class="tabs" role="tablist" aria-label=${label} onKeyDown=${move}>
      ${options.map(([key, text, badge]) => html`<button type="button" role="tab" id=${`tab-${key}`} key=${key}
        aria-selected=${String(value === key)} aria-controls="tab-panel" tabindex=${value === key ? 0 : -1} onClick=${() => onChange(key)}>
        ${text}${badge !== undefined && html`<span class="count">${count(badge)}</span>`}</button>`)}</div>
    <div role="tabpanel" id="tab-panel" aria-labelledby=${`tab-${value}`} class="tab-panel">${children}</div>`;
}

export const Select = ({ label, options, value, onChange, seen }) => html`<label class="select">
  <span class=${seen ? "" : "unseen"}>${label}</span>
  <select value=${value} onChange=${(event) => onChange(event.target.value)}>
    ${options.map(([key, text]) => html`<option key=${key} value=${key} selected=${key === value}>${text}</option>`)}</select></label>`;

export const Search = ({ value, onChange, label, hint = true }) => html`<label class="search">
  <${Icon} name="search" /><span class="unseen">${label}</span>
  <input type="search" data-search value=${value} placeholder=${label} autocomplete="off" spellcheck="false"
    onInput=${(event) => onChange(event.target.value)}
    onKeyDown=${(event) => event.key === "Escape" && (event.target.value ? onChange("") : event.target.blur())} />
  ${hint && html`<${Key}>/<//>`}</label>`;

export const Switch = ({ name, label, text, on, onChange, disabled }) => html`<div class="setting">
  <div><span id=${`switch-${name}`} class="setting-name">${label}</span>${text && html`<p class="quiet">${text}</p>`}</div>
  <button type="button" class="switch" role="switch" aria-checked=${String(on)} aria-labelledby=${`switch-${name}`} disabled=${disabled}
    onClick=${() => onChange(!on)}><span></span></button></div>`;

export function Dialog({ title, onClose, children, wide, footer }) {
  const at = useRef();
  useEffect(() => {
    const dialog = at.current;
    const before = document.activeElement;
    if (!dialog.open) dialog.showModal();
    return () => {
      if (dialog.open) dialog.close();
      if (before && before.isConnected) before.focus();
    };
  }, []);
  return html`<dialog ref=${at} class=${names("dialog", wide && "wide")} aria-labelledby="dialog-title"
    onCancel=${(event) => { event.preventDefault(); onClose(); }} onClick=${(event) => event.target === at.current && onClose()}>
    <div class="dialog-inside"><header><h2 id="dialog-title">${title}</h2><${Button} icon="close" kind="ghost" label=${t("close")} onClick=${onClose} /></header>
    <div class="dialog-body">${children}</div>${footer && html`<footer>${footer}</footer>`}</div></dialog>`;
}

// A text of a session or a memory: always text, with the spans that count marked.
export const Marked = ({ text, spans }) => pieces(text, spans).map((piece, n) =>
  piece.marked ? html`<mark key=${n}>${piece.text}</mark>` : html`<span key=${n}>${piece.text}</span>`);

// Long texts are cut for the eye, never lost: one button shows all of it.
export function LongText({ text: given, most = 700, mono, cut, onMore, label, asWritten }) {
  const [open, setOpen] = useState(false);
  const text = asWritten ? exact(given) : plain(given);
  const long = text.length > most || cut;
  const shown = open || !long ? text : `${text.slice(0, most)}…`;
  const more = () => {
    setOpen(!open);
    if (!open && cut && onMore) onMore();
  };
  return html`<div class=${names("long-text", mono && "mono", open && "open")}>
    <div class="text" tabindex=${open ? 0 : undefined} role=${open ? "region" : undefined} aria-label=${open ? label || t("text.whole") : undefined}>${shown}</div>
    ${long && html`<button type="button" class="link" aria-expanded=${String(open)} onClick=${more}>${t(open ? "text.less" : "text.more")}</button>`}</div>`;
}

export function Toasts() {
  const { toasts } = useStore();
  return html`<div class="toasts" role="region" aria-label=${t("toasts")}><div aria-live="polite" aria-relevant="additions">
    ${toasts.map((toast) => html`<div class=${`toast ${toast.kind}`} key=${toast.id} role=${toast.kind === "error" ? "alert" : "status"}
      onMouseEnter=${() => holdToast(toast.id, true)} onMouseLeave=${() => holdToast(toast.id, false)}>
      <${Icon} name=${toast.kind === "error" ? "warning" : "check"} /><span>${toast.text}</span>
      ${toast.undo && html`<button type="button" class="toast-undo" onClick=${() => { dismissToast(toast.id); toast.undo(); }}>${t("undo")}<${Key}>u<//></button>`}
      <${Button} icon="close" kind="ghost" small label=${t("close")} onClick=${() => dismissToast(toast.id)} /></div>`)}</div></div>`;
}

// Calls `more` when the end of a list comes into sight; a button for those who do not scroll.
export function More({ more, loading, left }) {
  const at = useRef();
  const now = useRef(more);
  now.current = more;
  useEffect(() => {
    const watcher = new IntersectionObserver((seen) => seen.some((one) => one.isIntersecting) && now.current(), { rootMargin: "400px" });
    watcher.observe(at.current);
    return () => watcher.disconnect();
  }, [loading]);
  return html`<div class="more" ref=${at}><${Button} small kind="ghost" disabled=${loading} onClick=${more}>${t(loading ? "loading" : "list.more", { n: left })}<//></div>`;
}

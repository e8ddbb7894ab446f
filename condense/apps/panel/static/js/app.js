// The frame: navigation, project, language and theme, keys, toasts; and the place that the address names.
import { Component, html, render, useEffect, useRef, useState } from "../vendor/htm-preact.mjs";
import { Button, Dialog, Failed, Key, Select, Toasts } from "./components.js";
import { t } from "./i18n.js";
import { Icon, Mark } from "./icons.js";
import { Memories } from "./places/memories.js";
import { Notes } from "./places/notes.js";
import { Overview } from "./places/overview.js";
import { Sessions } from "./places/sessions.js";
import { Settings } from "./places/settings.js";
import { chooseLanguage, chooseProject, chooseTheme, go, link, listen, loadProjects, undoLast, useKeys, useRoute, useStore } from "./store.js";

const PLACES = { overview: Overview, memories: Memories, sessions: Sessions, notes: Notes, settings: Settings };
const JUMPS = { o: "overview", m: "memories", s: "sessions", n: "notes", t: "settings" };
const KEYS = [
  ["/", "keys.search"], ["j k", "keys.move"], ["a", "keys.accept"], ["d", "keys.dismiss"], ["e", "keys.edit"], ["p", "keys.pin"],
  ["f", "keys.forget"], ["x", "keys.select"], ["u", "keys.undo"], ["g o", "keys.jump"], ["?", "keys.help"],
];

function ProjectChoice() {
  const { project, projects } = useStore();
  const known = projects.some((one) => one.key === project);
  const options = [...(known || !project ? [] : [[project, t("project.here")]]), ...projects.map((one) => [one.key, one.name || one.key]), ["", t("project.all")]];
  const change = (key) => {
    chooseProject(key);
    if (location.hash.startsWith("#/memories/")) go("memories");
  };
  return html`<${Select} label=${t("project")} options=${options} value=${project} onChange=${change} />`;
}

function Choices() {
  const { theme, language } = useStore();
  const next = { system: "light", light: "dark", dark: "system" }[theme];
  return html`<div class="choices">
    <${Button} kind="ghost" small icon=${{ system: "auto", light: "sun", dark: "moon" }[theme]} label=${`${t("theme")}: ${t(`theme.${theme}`)}`} onClick=${() => chooseTheme(next)} />
    <button type="button" class="button ghost small" lang=${language === "zh" ? "en" : "zh-CN"} aria-label=${t("language.other.label")}
      onClick=${() => chooseLanguage(language === "zh" ? "en" : "zh")}>${language === "zh" ? "English" : "中文"}</button></div>`;
}

function Live() {
  const { live } = useStore();
  return html`<span class=${`live ${live}`} role="status"><span class="live-dot"></span>${t(`live.${live}`)}</span>`;
}

function Help({ onClose }) {
  return html`<${Dialog} title=${t("keys.title")} onClose=${onClose}><dl class="keys">
    ${KEYS.map(([keys, what]) => html`<div key=${keys}><dt>${keys.split(" ").map((key) => html`<${Key} key=${key}>${key}<//>`)}</dt><dd>${t(what)}</dd></div>`)}</dl><//>`;
}

class Guard extends Component {
  constructor() {
    super();
    this.state = { error: null };
  }
  static getDerivedStateFromError(error) {
    return { error };
  }
  componentDidCatch(error) {
    console.error(error);
  }
  componentDidUpdate(before) {
    if (before.place !== this.props.place && this.state.error) this.setState({ error: null });
  }
  render({ children }, { error }) {
    return error ? html`<${Failed} error=${{ message: `${t("error.page")} ${error.message}` }} retry=${() => this.setState({ error: null })} />` : children;
  }
}

function App() {
  const { project, projects, language } = useStore();
  const route = useRoute();
  const [help, setHelp] = useState(false);
  const jumping = useRef(0);
  const place = PLACES[route.place] ? route.place : "overview";
  const Place = PLACES[place];
  const pending = (project ? projects.filter((one) => one.key === project) : projects).reduce((sum, one) => sum + (one.pending || 0), 0);
  useEffect(() => {
    document.title = `${t(`nav.${place}`)} · holdfast`;
  }, [place, language]);
  const first = useRef(true);
  useEffect(() => {
    if (!first.current) document.querySelector("main h1")?.focus({ preventScroll: true });
    first.current = false;
    scrollTo(0, 0);
  }, [place]);
  useKeys({
    "/": () => document.querySelector("[data-search]")?.focus(),
    "?": () => setHelp(true),
    u: undoLast,
    g: () => (jumping.current = Date.now()),
  });
  useEffect(() => {
    const listener = (event) => {
      const fresh = Date.now() - jumping.current < 1200;
      if (!fresh || !JUMPS[event.key] || event.ctrlKey || event.metaKey) return;
      jumping.current = 0;
      event.preventDefault();
      event.stopImmediatePropagation();
      go(JUMPS[event.key]);
    };
    addEventListener("keydown", listener, true);
    return () => removeEventListener("keydown", listener, true);
  }, []);
  return html`<div class="app">
    <a class="skip" href="#main" onClick=${(event) => { event.preventDefault(); document.querySelector("main h1")?.focus(); }}>${t("skip")}</a>
    <header class="side">
      <div class="brand"><${Mark} /><span>holdfast</span></div>
      <${ProjectChoice} />
      <nav aria-label=${t("nav")}><ul>${Object.keys(PLACES).map((name) => html`<li key=${name}><a href=${link(name)} aria-current=${name === place ? "page" : undefined}>
        <${Icon} name=${name} /><span>${t(`nav.${name}`)}</span>${name === "memories" && pending > 0 && html`<span class="badge" aria-label=${t("n.pending", { n: pending })}>${pending > 99 ? "99+" : pending}</span>`}</a></li>`)}</ul></nav>
      <div class="side-foot"><${Live} /><${Choices} /><${Button} kind="ghost" small icon="keyboard" label=${t("keys.title")} onClick=${() => setHelp(true)} /></div>
    </header>
    <main id="main" class=${`place-${place}`}><${Guard} place=${place}><${Place} key=${place} route=${route} /><//></main>
    <${Toasts} />${help && html`<${Help} onClose=${() => setHelp(false)} />`}</div>`;
}

const root = document.getElementById("panel");
root.textContent = "";
render(html`<${App} />`, root);
loadProjects();
listen();

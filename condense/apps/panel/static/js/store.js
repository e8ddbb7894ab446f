// What all places share: the project, live changes, toasts; and the hooks that read it.
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from "../vendor/htm-preact.mjs";
import { api } from "./api.js";
import { language, setLanguage, t } from "./i18n.js";

const kept = {
  get(name) {
    try {
      return localStorage.getItem(`holdfast.${name}`);
    } catch {
      return null;
    }
  },
  set(name, value) {
    try {
      if (value === null) localStorage.removeItem(`holdfast.${name}`);
      else localStorage.setItem(`holdfast.${name}`, value);
    } catch { /* not kept: storage is switched off */ }
  },
};

const state = {
  project: document.body.dataset.project || "",
  projects: [],
  toasts: [],
  live: "connecting",
  versions: { memories: 0, records: 0, notes: 0, sessions: 0 },
  pending: null,
  theme: kept.get("theme") || "system",
  language: language(),
  dialog: null,
};
const listeners = new Set();

export function update(changes) {
  Object.assign(state, changes);
  for (const listener of listeners) listener();
}

export function useStore() {
  const [, redraw] = useState(0);
  useEffect(() => {
    const listener = () => redraw((n) => n + 1);
    listeners.add(listener);
    return () => listeners.delete(listener);
  }, []);
  return state;
}

export function chooseTheme(theme) {
  kept.set("theme", theme === "system" ? null : theme);
  if (theme === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  update({ theme });
}

export function chooseLanguage(chosen) {
  setLanguage(chosen);
  update({ language: chosen });
}

export const chooseProject = (project) => update({ project });

export async function loadProjects() {
  try {
    const { items } = await api.projects();
    update({ projects: items });
  } catch { /* the places say what is wrong; the switcher keeps what it has */ }
}

// Toasts: what happened, with Undo where it can be taken back.
let number = 0;
const clocks = new Map();
export function dismissToast(id) {
  clearTimeout(clocks.get(id));
  update({ toasts: state.toasts.filter((toast) => toast.id !== id) });
}
export function holdToast(id, held) {
  clearTimeout(clocks.get(id));
  if (!held) clocks.set(id, setTimeout(() => dismissToast(id), 8000));
}
export function toast(text, { undo, kind = "done" } = {}) {
  const id = ++number;
  update({ toasts: [...state.toasts.slice(-2), { id, text, undo, kind }] });
  holdToast(id, false);
}
export const failed = (error) => toast(whatFailed(error), { kind: "error" });

export function whatFailed(error) {
  if (error.status === 0) return t("error.unreachable");
  if (error.status === 401) return t("error.login");
  return error.message || t("error.unknown");
}

export async function undoLast() {
  const last = [...state.toasts].reverse().find((toast) => toast.undo);
  if (!last) return;
  dismissToast(last.id);
  await last.undo();
}

export function undoWith(token, after) {
  return async () => {
    try {
      await api.undo(token);
      toast(t("toast.undone"));
      changed("memories");
      if (after) after();
    } catch (error) {
      failed(error);
    }
  };
}

export function changed(what) {
  const versions = { ...state.versions };
  for (const one of [].concat(what)) versions[one] = (versions[one] || 0) + 1;
  update({ versions });
}

// Live: one stream of server-sent events; after a break everything on the screen is asked for again.
export function listen() {
  const source = new EventSource("/api/v1/events");
  let broken = false;
  source.onopen = () => {
    update({ live: "on" });
    if (broken) changed(["memories", "records", "notes", "sessions"]);
    broken = false;
  };
  source.onerror = () => {
    broken = true;
    update({ live: "off" });
  };
  source.addEventListener("changed", (event) => {
    try {
      const { what } = JSON.parse(event.data);
      changed(what);
      if (what === "memories") loadProjects();
    } catch { /* an event of a newer server */ }
  });
}

// Load something and say how it stands; what is shown stays while it is asked for again.
export function useLoad(load, wanted) {
  const [result, setResult] = useState({ data: null, error: null, loading: true });
  const turn = useRef(0);
  const run = useCallback(async () => {
    const mine = ++turn.current;
    setResult((before) => ({ ...before, loading: true }));
    try {
      const data = await load();
      if (mine === turn.current) setResult({ data, error: null, loading: false });
    } catch (error) {
      if (mine === turn.current && error.name !== "AbortError")
        setResult((before) => ({ data: before.data, error, loading: false }));
    }
  }, wanted);
  useEffect(() => {
    run();
    return () => void turn.current++;
  }, [run]);
  const set = useCallback((data) => setResult({ data, error: null, loading: false }), []);
  return { ...result, reload: run, set };
}

// The address: #/place/part?name=value
export function readRoute() {
  const [path, query] = location.hash.replace(/^#\/?/, "").split("?");
  const parts = path.split("/").filter(Boolean).map(decode);
  return { place: parts[0] || "overview", id: parts[1] || null, query: Object.fromEntries(new URLSearchParams(query || "")) };
}
function decode(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
export function link(place, id, query) {
  const kept = Object.entries(query || {}).filter(([, value]) => value !== "" && value !== null && value !== undefined);
  const tail = kept.length ? `?${new URLSearchParams(kept)}` : "";
  return `#/${place}${id ? `/${encodeURIComponent(id)}` : ""}${tail}`;
}
export const go = (place, id, query) => void (location.hash = link(place, id, query));
export function replace(place, id, query) {
  history.replaceState(null, "", link(place, id, query));
  dispatchEvent(new HashChangeEvent("hashchange"));
}
export function useRoute() {
  const [route, setRoute] = useState(readRoute);
  useEffect(() => {
    const listener = () => setRoute(readRoute());
    addEventListener("hashchange", listener);
    return () => removeEventListener("hashchange", listener);
  }, []);
  return route;
}

export function useLater(value, milliseconds) {
  const [later, setLater] = useState(value);
  useEffect(() => {
    const clock = setTimeout(() => setLater(value), milliseconds);
    return () => clearTimeout(clock);
  }, [value, milliseconds]);
  return later;
}

// Keys of a place: {j: f}; not while something is typed or a dialog is open.
export function useKeys(keys) {
  const now = useRef(keys);
  now.current = keys;
  useLayoutEffect(() => { // what one sees can be used: no key is lost between the drawing and an effect
    const listener = (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
      const target = event.target;
      if (target.closest && target.closest("input:not([type=checkbox]):not([type=range]), textarea, select, [contenteditable]")) return;
      const act = now.current[event.key];
      if (!act) return;
      event.preventDefault();
      act();
    };
    addEventListener("keydown", listener);
    return () => removeEventListener("keydown", listener);
  }, []);
}

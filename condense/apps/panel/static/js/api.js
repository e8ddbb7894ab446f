// Calls to the server: JSON both ways, errors as one class.
import { language } from "./i18n.js";

export class Failure extends Error {
  constructor(status, code, message, body) {
    super(message);
    this.status = status;
    this.code = code;
    this.body = body;
  }
}

function address(path, query) {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query || {}))
    if (value !== undefined && value !== null && (value !== "" || name === "project")) parameters.set(name, value);
  parameters.set("lang", language());
  return `${path}?${parameters}`;
}

async function call(method, path, { query, body, headers, signal } = {}) {
  let response;
  try {
    response = await fetch(address(path, query), {
      method,
      signal,
      headers: { Accept: "application/json", ...(body === undefined ? {} : { "Content-Type": "application/json" }), ...headers },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Failure(0, "unreachable", "", null);
  }
  let data = null;
  try {
    data = await response.json();
  } catch { /* an answer without a body */ }
  if (!response.ok) {
    const error = data && data.error;
    const said = (error && (error.message || (typeof error === "string" ? error : ""))) || response.statusText;
    throw new Failure(response.status, (error && error.code) || String(response.status), said, data);
  }
  return { data, etag: response.headers.get("ETag") };
}

const v1 = (path) => `/api/v1/${path}`;
const part = encodeURIComponent;
const get = async (path, query, signal) => (await call("GET", v1(path), { query, signal })).data;
const post = async (path, body, query) => (await call("POST", v1(path), { body, query })).data;

export const api = {
  projects: () => get("projects"),
  overview: (project, days) => get("overview", { project, days }),
  memories: (query, signal) => get("memories", query, signal),
  memory: (project, id) => call("GET", v1(`memories/${part(id)}`), { query: { project } }),
  addMemory: (body) => post("memories", body),
  act: (project, id, action) => post(`memories/${part(id)}/${action}`, { project }),
  edit: (project, id, content, etag) =>
    call("PATCH", v1(`memories/${part(id)}`), { body: { project, content }, headers: etag ? { "If-Match": etag } : {} }),
  bulk: (project, ids, action) => post("memories/bulk", { project, ids, action }),
  undo: (token) => post("undo", { undo: token }),
  graph: (project, limit) => get("graph", { project, limit }),
  sessions: (query, signal) => get("sessions", query, signal),
  session: (id) => get(`sessions/${part(id)}`),
  messages: (id, query) => get(`sessions/${part(id)}/messages`, query),
  message: (id, index) => get(`sessions/${part(id)}/messages/${index}`),
  condense: (id, target, focus) => post(`sessions/${part(id)}/condense`, focus ? { target, focus } : { target }),
  record: (id) => get(`records/${part(id)}`),
  undoRecord: (id) => post(`records/${part(id)}/undo`, {}),
  original: (handle, project) => get(`originals/${part(handle)}`, { project }),
  notes: () => call("GET", v1("notes")),
  saveNotes: (content, etag) => call("PUT", v1("notes"), { body: { content }, headers: etag ? { "If-Match": etag } : {} }),
  searchNotes: (q, mode) => get("notes/search", { q, mode, limit: 50 }),
  summarize: async (id) => (await call("POST", `/api/chat/sessions/${part(id)}/summarize`, { body: {} })).data,
  settings: () => get("settings"),
  saveSettings: async (body) => (await call("PUT", v1("settings"), { body })).data,
  install: () => get("install"),
};

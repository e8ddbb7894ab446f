// Numbers and times as people read them.
import { locale, t } from "./i18n.js";

export const count = (n) => (n ?? 0).toLocaleString(locale());

export function short(n) {
  if (n === null || n === undefined) return "–";
  const large = Math.abs(n) >= 10000;
  return new Intl.NumberFormat(locale(), large ? { notation: "compact", maximumSignificantDigits: 3 } : { maximumFractionDigits: 1 }).format(n);
}

export function bytes(n) {
  if (n === null || n === undefined) return "–";
  const units = ["B", "kB", "MB", "GB"];
  let at = 0;
  while (n >= 1000 && at < 3) {
    n /= 1000;
    at++;
  }
  return `${n.toLocaleString(locale(), { maximumFractionDigits: at && n < 100 ? 1 : 0 })} ${units[at]}`;
}

export function money({ amount, currency }) {
  return new Intl.NumberFormat(locale(), { style: "currency", currency, currencyDisplay: "narrowSymbol", maximumFractionDigits: amount < 1 ? 3 : 2 }).format(amount);
}

export const percent = (part, whole) =>
  new Intl.NumberFormat(locale(), { style: "percent", maximumFractionDigits: 0 }).format(whole ? part / whole : 0);

export function moment(iso) {
  const date = new Date(iso);
  return iso && !Number.isNaN(date.getTime())
    ? new Intl.DateTimeFormat(locale(), { dateStyle: "medium", timeStyle: "short" }).format(date)
    : t("time.unknown");
}

export function day(iso, style = { day: "numeric", month: "short" }) {
  const date = new Date(iso.length === 10 ? `${iso}T12:00:00` : iso);
  return Number.isNaN(date.getTime()) ? iso : new Intl.DateTimeFormat(locale(), style).format(date);
}

const STEPS = [["second", 60], ["minute", 60], ["hour", 24], ["day", 30], ["month", 12], ["year", Infinity]];
export function ago(iso) {
  const then = iso ? new Date(iso).getTime() : NaN;
  if (Number.isNaN(then)) return t("time.unknown");
  let past = (Date.now() - then) / 1000;
  if (past < 45) return t("time.now");
  for (const [unit, size] of STEPS) {
    if (Math.abs(past) < size) return new Intl.RelativeTimeFormat(locale(), { numeric: "auto", style: "short" }).format(-Math.round(past), unit);
    past /= size;
  }
  return moment(iso);
}

// A text between marks: pieces [{text, marked}] by spans [[start, end]], which may overlap or run over. The server counts
// characters, this language counts half of some of them.
export function pieces(text, spans) {
  const characters = Array.from(exact(text));
  const found = [];
  let at = 0;
  const add = (end, marked) => {
    if (end > at) found.push({ text: characters.slice(at, end).join(""), marked });
    at = Math.max(at, end);
  };
  for (const [from, to] of spans.filter(([a, b]) => b > a).sort((a, b) => a[0] - b[0])) {
    add(Math.min(from, characters.length), false);
    add(Math.min(to, characters.length), true);
  }
  add(characters.length, false);
  return found;
}

// What turns the direction of a line or moves the cursor is shown as a mark, so that a text cannot look like another one.
export const exact = (text) => String(text ?? "").replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, "\ufffd");
// What terminals take for colours and the like says nothing to a reader; the exact text has it as marks.
const CODES = /\u001b(?:\[[0-9:;<=>?]{0,40}[ -/]{0,4}[@-~]|\][^\u0007\u001b\n]{0,400}(?:\u0007|\u001b\\)|[()][0-9A-Z]|[=>78cDEHMNZ])/g;
export const plain = (text) => exact(String(text ?? "").replace(CODES, ""));

// Words in the language that was chosen, or else the one the browser asked the server for.
import { WORDS } from "./words.js";

const LANGUAGES = ["en", "zh"];
let chosen = remembered() || document.body.dataset.lang || "en";

function remembered() {
  try {
    const kept = localStorage.getItem("holdfast.language");
    return LANGUAGES.includes(kept) ? kept : null;
  } catch {
    return null;
  }
}

export const language = () => chosen;
export const locale = () => (chosen === "zh" ? "zh-CN" : "en-GB");

export function setLanguage(wanted) {
  chosen = LANGUAGES.includes(wanted) ? wanted : "en";
  document.documentElement.lang = chosen === "zh" ? "zh-CN" : "en";
  try {
    localStorage.setItem("holdfast.language", chosen);
  } catch { /* not kept */ }
}
document.documentElement.lang = chosen === "zh" ? "zh-CN" : "en";

// "{n} memories" with {n: 3}; a pair "one|many" is told apart by n.
export function t(key, values = {}) {
  const pair = WORDS[key];
  if (!pair) return key;
  let text = pair[chosen === "zh" ? 1 : 0];
  if (text.includes("|") && "n" in values) text = text.split("|")[values.n === 1 ? 0 : 1];
  return text.replace(/\{(\w+)\}/g, (whole, name) => {
    if (!(name in values)) return whole;
    const value = values[name];
    return typeof value === "number" ? value.toLocaleString(locale()) : String(value);
  });
}
// The word for a value of the server, or the value itself where a newer server has more of them.
export const word = (group, value) => (WORDS[`${group}.${value}`] ? t(`${group}.${value}`) : String(value ?? ""));

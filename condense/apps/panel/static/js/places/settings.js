// Settings: the two switches, models, language and theme, where things are kept, and what is on in the agents.
import { html, useEffect, useState } from "../../vendor/htm-preact.mjs";
import { api } from "../api.js";
import { Chip, Heading, Loaded, Segments, Switch } from "../components.js";
import { bytes } from "../format.js";
import { t, word } from "../i18n.js";
import { Icon } from "../icons.js";
import { chooseLanguage, chooseTheme, failed, toast, useLoad, useStore } from "../store.js";

function Field({ name, text, value, placeholder, save }) {
  const [typed, setTyped] = useState(value || "");
  useEffect(() => setTyped(value || ""), [value]);
  const id = `field-${name}`;
  const submit = (event) => {
    event.preventDefault();
    save(typed.trim() || null);
  };
  return html`<form class="setting" onSubmit=${submit}><div><label for=${id} class="setting-name">${t(name)}</label><p class="quiet" id=${`${id}-text`}>${text}</p></div>
    <div class="row"><input id=${id} type="text" value=${typed} placeholder=${placeholder} spellcheck="false" autocomplete="off" aria-describedby=${`${id}-text`} onInput=${(event) => setTyped(event.target.value)} />
      ${typed.trim() !== (value || "") && html`<button class="button small primary">${t("save")}</button>`}</div></form>`;
}

function Agent({ agent }) {
  return html`<li class="agent"><div class="row"><strong>${word("agent", agent.agent)}</strong>${agent.version && html`<span class="quiet">${agent.version}</span>`}
      <${Chip} kind=${agent.installed ? "ok" : ""}>${t(agent.installed ? "agent.on" : agent.found ? "agent.off" : "agent.missing")}<//>${agent.installed && agent.scope && html`<span class="quiet">${agent.scope}</span>`}</div>
    <ul class="parts">${agent.parts.map((part) => html`<li key=${part.name} class=${part.on ? "on" : ""}><${Icon} name=${part.on ? "check" : "close"} /><span>${word("part", part.name)}</span><span class="unseen">${t(part.on ? "part.on" : "part.off")}</span><span class="quiet break">${part.detail}</span></li>`)}</ul>
    ${agent.steps.length > 0 && html`<div class="steps"><p class="quiet">${t("agent.steps")}</p>${agent.steps.map((step, n) => html`<pre class="command" tabindex="0" key=${n}>${step}</pre>`)}</div>`}</li>`;
}

export function Settings() {
  const { language, theme } = useStore();
  const loaded = useLoad(api.settings, [language]);
  const install = useLoad(api.install, [language]);
  const save = async (changes) => {
    try {
      const answer = await api.saveSettings(changes);
      loaded.set({ ...loaded.data, ...changes, ...answer });
      toast(t("toast.settings"));
    } catch (error) {
      failed(error);
      loaded.reload();
    }
  };
  const chosen = (value) => {
    chooseLanguage(value);
    api.saveSettings({ language: value }).catch(failed);
  };
  return html`<${Heading} title=${t("nav.settings")} text=${t("settings.text")} />
    <section class="panel settings" aria-labelledby="looks"><h2 id="looks">${t("settings.looks")}</h2>
      <div class="setting"><span class="setting-name">${t("language")}</span><${Segments} label=${t("language")} value=${language} onChange=${chosen} options=${[["en", "English"], ["zh", "中文"]]} /></div>
      <div class="setting"><span class="setting-name">${t("theme")}</span><${Segments} label=${t("theme")} value=${theme} onChange=${chooseTheme} options=${["system", "light", "dark"].map((one) => [one, t(`theme.${one}`)])} /></div></section>
    <${Loaded} of=${loaded} rows=${6}>${(it) => html`<section class="panel settings" aria-labelledby="memory"><h2 id="memory">${t("settings.memory")}</h2>
        <${Switch} name="enhancement" label=${t("settings.enhancement")} text=${t("settings.enhancement.text")} on=${it.memory_enhancement} onChange=${(on) => save({ memory_enhancement: on })} />
        <${Switch} name="vectors" label=${t("settings.vectors")} text=${it.vector_store_available.ok ? t("settings.vectors.text") : it.vector_store_available.why} on=${it.vector_store} disabled=${!it.vector_store_available.ok && !it.vector_store} onChange=${(on) => save({ vector_store: on })} />
        <${Field} name="settings.model" text=${t("settings.model.text")} value=${it.model} placeholder=${t("settings.model.none")} save=${(model) => save({ model })} />
        <${Field} name="settings.embedder" text=${t("settings.embedder.text")} value=${it.embedder} placeholder=${t("settings.embedder.none")} save=${(embedder) => save({ embedder })} /></section>
      <${Loaded} of=${install} rows=${4}>${({ items }) => html`<section class="panel settings" aria-labelledby="agents"><h2 id="agents">${t("settings.agents")}</h2><ul class="agents">${items.map((agent) => html`<${Agent} key=${agent.agent} agent=${agent} />`)}</ul></section>`}<//>
      <section class="panel settings" aria-labelledby="paths"><h2 id="paths">${t("settings.paths")}</h2><dl class="paths">${it.paths.map((one) => html`<div key=${one.name}><dt>${word("path", one.name)}</dt><dd><code class="break">${one.path}</code>
        <span class="quiet">${one.exists ? bytes(one.bytes) : t("path.missing")}</span></dd></div>`)}</dl><p class="quiet version">holdfast ${it.version}</p></section>`}<//>`;
}

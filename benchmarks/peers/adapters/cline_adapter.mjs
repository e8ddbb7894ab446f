// Cline's basic compaction, from its own package (@cline/core), driven as its runtime drives it before a model call.
// The same protocol as serving.py: one JSON object a line, both ways.
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const home = process.argv[2]; // the folder that holds node_modules
const root = join(home, 'node_modules', '@cline', 'core');
const info = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const write = (value) => process.stdout.write(JSON.stringify(value) + '\n');
console.log = console.info = console.error;
const core = await import(pathToFileURL(join(root, info.main)).href);

// Cline aims at a share of its input limit; the limit is set so that its own target is the budget, and asked for less
// while what comes back is more than the budget in the benchmark's tokens.
const TARGET_SHARE = 0.7;
const spent = (start) => { const { user, system } = process.cpuUsage(start); return (user + system) / 1e6; };
const bytes = (text) => Math.ceil(Buffer.byteLength(text ?? '', 'utf8') / 4);
const flat = (v) => v == null ? '' : Array.isArray(v) ? v.map(flat).join('\n')
  : typeof v === 'object' ? Object.entries(v).map(([k, x]) => `${k}: ${flat(x)}`).join('\n') : String(v);
const blocks = (m) => typeof m.content === 'string' ? [{ type: 'text', text: m.content }] : m.content ?? [];
const read = (b) => b.type === 'text' ? b.text : b.type === 'thinking' ? b.thinking
  : b.type === 'tool_use' ? `${b.name ?? ''} ${flat(b.input)}`
  : b.type === 'tool_result' ? (Array.isArray(b.content) ? b.content.map((x) => x.text ?? '').join('\n') : b.content)
  : '';
const size = (messages) => messages.reduce((n, m) => n + bytes(blocks(m).map(read).join('\n')) + 4, 0);

// The names its activity notes know are those of its own tools.
const NAMES = {
  read: 'read_files', read_file: 'read_files', view: 'read_files', bash: 'run_commands', shell: 'run_commands',
  exec_command: 'run_commands', execute_command: 'run_commands', edit: 'editor', write: 'editor',
  str_replace_editor: 'editor', apply_diff: 'editor', write_to_file: 'editor', multiedit: 'editor',
};
const renamed = (messages) => messages.map((m) => ({
  ...m,
  content: blocks(m).map((b) => b.type === 'tool_use'
    ? { ...b, name: NAMES[(b.name ?? '').toLowerCase()] ?? b.name, input: mapped(b) } : b),
}));
const mapped = (b) => {
  const input = b.input ?? {};
  const kind = NAMES[(b.name ?? '').toLowerCase()];
  const path = input.file_path ?? input.path ?? input.target_file;
  if (kind === 'read_files' && path) return { ...input, files: [{ path }], file_paths: [path] };
  if (kind === 'run_commands' && (input.command ?? input.cmd)) return { ...input, commands: [flat(input.command ?? input.cmd)] };
  if (kind === 'editor' && path) return { ...input, path };
  return input;
};

async function compact(messages, budget) {
  let out = messages;
  let limit = Math.ceil(budget / TARGET_SHARE);
  for (let attempt = 0; attempt < 4; attempt++) {
    const model = { id: 'stub', provider: 'stub', info: { id: 'stub', maxInputTokens: limit, contextWindow: limit } };
    const step = core.createContextCompactionPrepareTurn({
      providerId: 'anthropic', modelId: 'stub', apiKey: '', sessionId: 'benchmark',
      providerConfig: { providerId: 'anthropic', modelId: 'stub' },
      compaction: { enabled: true, strategy: 'basic' },
    });
    const done = await step({
      agentId: 'a', conversationId: 'c', parentAgentId: null, iteration: 1,
      messages: structuredClone(messages), apiMessages: structuredClone(messages),
      abortSignal: new AbortController().signal, systemPrompt: '', tools: [], model, overflowRecovery: true,
    });
    out = done?.messages ?? messages;
    const got = size(out);
    if (got <= budget) break;
    limit = Math.floor(limit * budget / got * 0.95);
  }
  return out.map((m) => ({ role: m.role, content: m.content }));
}

const variants = { basic: compact, mapped: (messages, budget) => compact(renamed(messages), budget) };
write({ versions: { '@cline/core': info.version } });
for await (const line of createInterface({ input: process.stdin })) {
  const asked = JSON.parse(line);
  const start = process.cpuUsage();
  try {
    const messages = await variants[asked.variant](asked.messages, asked.budget);
    write({ messages, seconds: spent(start) });
  } catch (error) {
    write({ error: String(error).slice(0, 300), seconds: spent(start) });
  }
}
process.exit(0);

/**
 * The real Claude Code against a scripted model whose summaries keep nothing, with and without the plugin, through three
 * compactions. Prints how many planted facts the model can still reach: those in its last request, and those that a search
 * with the plugin's tool gives back. Then the time that hooks take, from the host's own debug log.
 *
 *   npm run build && npm run hosts:install claude-code && node bench/claude-code.ts [--facts 12] [--messages 100000]
 *
 * `--messages` puts that many messages of other sessions into the store first.
 */
import { execFileSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { readFileSync, rmSync } from "node:fs";
import { parseArgs } from "node:util";
import { type AgentModel, startAgentModel } from "../test/hosts/agent-model.ts";
import { type ClaudeHome, claudeHome, TOOL } from "../test/hosts/claude-session.ts";
import { installed } from "../test/hosts/installed-package.ts";
import { figure, printTable, quantile } from "./measure.ts";
import { addOtherSessions } from "./other-sessions.ts";

const { values: options } = parseArgs({
  options: { facts: { type: "string", default: "12" }, messages: { type: "string", default: "0" } },
});
const facts = Array.from({ length: Number(options.facts) }, (_, i) => ({
  depot: `depot-${i + 1}`,
  code: `heron-${4_000 + i * 37}`,
}));
const COMPACTIONS = 3;
const LONG_TURNS = 60;
/** Models think; what runs in the background has this long between events. */
const MODEL_MS = 400;
const DIGEST = "mcp_tool, digest after a compaction";
/** The log does not name the event of a call, only how many arguments the hook has. */
const BY_ARGUMENTS: Readonly<Record<string, string>> = {
  "4": "  Stop, PreCompact",
  "5": "  UserPromptSubmit",
  "6": "  SubagentStop",
  "7": "  PostToolUse",
};
const LCM = installed("bin/lcm.mjs");

const rows: string[][] = [];
const times: string[][] = [];
for (const isPlugin of [false, true]) {
  const model = await startAgentModel();
  model.delayMs = MODEL_MS;
  const home = claudeHome(model);
  try {
    if (isPlugin) await addOtherSessions(home.data, Number(options.messages));
    const reached = await run(model, home, isPlugin);
    rows.push([isPlugin ? "with" : "without", ...reached]);
    if (isPlugin) times.push(...hookTimes(readFileSync(home.log, "utf8")));
  } finally {
    if (isPlugin) execFileSync(process.execPath, [LCM, "daemon", "--stop"], { env: home.environment });
    await model.close();
    rmSync(home.folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
  }
}
console.log(
  `${facts.length} facts, ${COMPACTIONS} compactions, ${options.messages} messages of other sessions\n`,
);
printTable(["Palimpsest", "in the last request", "by a search", "reached"], rows);
console.log("");
printTable(["hook", "events", "p50 ms", "p95 ms"], times);

async function run(model: AgentModel, home: ClaudeHome, isPlugin: boolean): Promise<string[]> {
  const session = randomUUID();
  const plugin = isPlugin ? {} : { plugin: null };
  const share = Math.ceil(facts.length / COMPACTIONS);
  for (let part = 0; part < COMPACTIONS; part++) {
    const which = part === 0 ? { session } : { resume: session };
    const planted = facts.slice(part * share, (part + 1) * share);
    const turns = planted.flatMap(({ depot, code }, i) => [
      `The gate code of ${depot} is ${code}.`,
      i % 2 === 0
        ? `CALL:Bash:{"command":"echo ${part}-${i}"} go`
        : "They walked on, and spoke about the weather.",
    ]);
    await home.talk(turns, { ...which, ...plugin });
    await home.say("/compact", { resume: session, ...plugin });
  }
  await home.say("What comes next?", { resume: session, ...plugin });
  const shown = model.requests.at(-1)?.text ?? "";
  const inView = facts.filter(({ code }) => shown.includes(code));
  const found: typeof facts = [];
  if (isPlugin)
    for (const fact of facts) {
      const input = JSON.stringify({ pattern: fact.depot, mode: "exact", limit: 3 });
      await home.say(`CALL:${TOOL}lcm_grep:${input} now`, { resume: session });
      if (model.requests.at(-1)?.text.includes(fact.code)) found.push(fact);
    }
  // As in a session at a terminal: many turns in one process.
  const turns = Array.from({ length: LONG_TURNS }, (_, i) =>
    i % 2 === 0 ? `CALL:Bash:{"command":"echo long-${i}"} go` : `Which gate did we mean in turn ${i}?`,
  );
  if (isPlugin) await home.talk(turns, { resume: session });
  const reached = new Set([...inView, ...found]);
  return [inView.length, found.length, reached.size].map((count) => `${count} of ${facts.length}`);
}

/** A command's line has its own time; a call of a hook's tool is followed by a line about its output. */
function hookTimes(log: string): string[][] {
  const byHook = new Map<string, number[]>();
  const add = (hook: string, ms: number) => byHook.set(hook, [...(byHook.get(hook) ?? []), ms]);
  let call: { readonly at: number; readonly name: string } | null = null;
  let isFirst = false;
  let isAfterSummary = false;
  for (const line of log.split("\n")) {
    const at = Date.parse(line.slice(0, 24));
    const command = /Hooks: \w+:\w+ \[.*hook\.mjs.*\((\d+)ms\)/.exec(line);
    if (command !== null) add("command", Number(command[1]));
    if (line.includes('"plugin:palimpsest:lcm": Starting connection')) isFirst = true;
    const called = /mcp_tool calling plugin:palimpsest\S* with (\d+) arg/.exec(line);
    if (called !== null) {
      // The digest comes when the host's summarisers have ended.
      const name = isAfterSummary && called[1] === "5" ? DIGEST : (BY_ARGUMENTS[called[1] ?? ""] ?? "");
      isAfterSummary = called[1] === "6";
      call = { at, name: isFirst ? "mcp_tool, first of a process" : name };
      isFirst = false;
    } else if (call !== null && /Hook output does not start|parsed and validated hook JSON/.test(line)) {
      add(call.name, at - call.at);
      if (call.name.startsWith(" ")) add("mcp_tool, running server", at - call.at);
      call = null;
    }
  }
  return [...byHook].map(([hook, all]) => [
    hook,
    String(all.length),
    figure(quantile(all, 0.5)),
    figure(quantile(all, 0.95)),
  ]);
}

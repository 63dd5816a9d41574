import { type Command, Option } from "commander";
import { MEMORY_ORIGINS, MEMORY_TIERS, type MemoryState } from "../../../memory-types.ts";
import type { listMemories } from "../../../operations/memory/memory-list.ts";
import { AGENT_NAME, isScopeName } from "../../../text/scope-name.ts";
import { counted } from "../../amounts.ts";
import type { CommandLine } from "../../command-line.ts";
import { quoted } from "../../global-options.ts";
import type { Look } from "../../look.ts";
import { repeated } from "../../look-in-options.ts";
import { addMemoryFilter, filterOf, type MemoryFilter, repeatFilter } from "../../memory-options.ts";
import { numberUpTo } from "../../option-values.ts";
import type { OutputOf } from "../../output-of.ts";
import { renderMemory } from "../../render/render-memory.ts";

const STATES = ["active", "superseded", "archived", "erased"] as const satisfies readonly MemoryState[];

interface Options extends MemoryFilter {
  readonly state?: MemoryState | "all";
  readonly tier?: string;
  readonly origin?: string;
  readonly key?: string;
  readonly limit?: number;
  readonly cursor?: string;
}

const EXAMPLES = `
Examples:
  lcm memory list --category preferences
  lcm memory list --state archived              what was set aside
  lcm memory list --key preferences:editor --state all     every value that it had
  lcm memory list --key "preferences:*"         every key that begins so`;

export function addMemoryList(memory: Command, cli: CommandLine): void {
  const command = memory.command("list", { isDefault: true }).description("what is remembered, newest first");
  addMemoryFilter(command)
    .addOption(new Option("--state <state>", "in which state (active)").choices([...STATES, "all"]))
    .addOption(new Option("--tier <tier>", "only these, by how fast they fade").choices(MEMORY_TIERS))
    .addOption(new Option("--origin <origin>", "only what came this way").choices(MEMORY_ORIGINS))
    .option("--key <key>", "only what says something about this key: preferences:editor, preferences:*")
    .option("--limit <number>", "how many at a time, at most 1,000 (50)", numberUpTo(1_000))
    .option("--cursor <cursor>", "go on from there")
    .addHelpText("after", EXAMPLES)
    .action(async (options: Options) => {
      const { listMemories } = await import("../../../operations/memory/memory-list.ts");
      const output = await cli.run(listMemories, inputOf(options));
      if (output.memories.length > 0) return cli.answer(output, (look) => render(output, options, look, cli));
      const { agent } = await cli.settings();
      await cli.answer(output, () => nothing(options, agent, cli));
    });
}

function inputOf(options: Options) {
  const { state, tier, origin, key, limit, cursor } = options;
  return {
    ...filterOf(options),
    states: state === undefined ? undefined : state === "all" ? STATES : [state],
    tiers: tier === undefined ? undefined : [tier],
    origins: origin === undefined ? undefined : [origin],
    ...{ factKey: key, limit, cursor },
  };
}

function render(
  { memories, next }: OutputOf<typeof listMemories>,
  options: Options,
  look: Look,
  cli: CommandLine,
): string {
  const { state, tier, origin, key, limit } = options;
  const given = repeated([
    ["--state", state],
    ["--tier", tier],
    ["--origin", origin],
    ["--key", key],
    ["--limit", limit?.toString()],
  ]);
  const more =
    next === null
      ? ""
      : `\nThere is more: ${cli.suggest(`memory list${repeatFilter(options)}${given} --cursor ${quoted(next)}`)}`;
  const shown = memories.map((one) => renderMemory(one, look));
  return [...shown, `${counted(memories.length, "memory", "memories")}.${more}`].join("\n\n");
}

function nothing(options: Options, agent: string, cli: CommandLine): string {
  const isNarrowed = Object.values(options).some((value) => value !== undefined);
  if (isNarrowed)
    return `There are no such memories. See how many there are with: ${cli.suggest("memory stats")}`;
  if (!isScopeName(`agent:${agent}`))
    return `No memory is open to an agent of this name. Name it with --agent or LCM_AGENT: ${AGENT_NAME}.`;
  return `Nothing is remembered yet. Keep something with: ${cli.suggest('memory store "…"')}`;
}

import type { Command } from "commander";
import { PalimpsestError } from "../../../errors.ts";
import type { queryFacts } from "../../../operations/memory/memory-fact-query.ts";
import { oneLine } from "../../../text/escape-controls.ts";
import { counted } from "../../amounts.ts";
import type { CommandLine } from "../../command-line.ts";
import { EXIT_CODES } from "../../exit-codes.ts";
import type { Look } from "../../look.ts";
import { numberUpTo, pointInTime } from "../../option-values.ts";
import type { OutputOf } from "../../output-of.ts";
import { indented } from "../../render/render-hit.ts";
import { renderMemory } from "../../render/render-memory.ts";
import { endOf } from "../../render/render-memory-page.ts";
import { table } from "../../table.ts";

type Output = OutputOf<typeof queryFacts>;

interface Options {
  readonly key?: string;
  readonly at?: string;
  readonly scope?: string;
  readonly history?: true;
  readonly limit?: number;
}

const EXAMPLES = `
Examples:
  lcm memory facts --key preferences:editor        by its key, which lcm memory show tells
  lcm memory facts "which editor" --history        by words, with every value that it had
  lcm memory facts "where do they live" --at 2026-05-01`;

export function addMemoryFacts(memory: Command, cli: CommandLine): void {
  memory
    .command("facts [words]")
    .description("what held of a fact, now or at a time")
    .option("--key <key>", "the key of the fact, instead of words")
    .option("--at <time>", "what held at this time (now)", pointInTime)
    .option("--history", "every version, with the time in which it held")
    .option("--scope <scope>", "only facts of this scope")
    .option("--limit <number>", "how many, at most 100 (10)", numberUpTo(100))
    .addHelpText("after", EXAMPLES)
    .action(async (words: string | undefined, options: Options) => {
      if ((words === undefined) === (options.key === undefined)) throw eitherOr();
      const { queryFacts } = await import("../../../operations/memory/memory-fact-query.ts");
      const { key: factKey, at, scope, history: includeHistory, limit } = options;
      const output = await cli.run(queryFacts, { query: words, factKey, at, scope, includeHistory, limit });
      if (output.facts.length === 0) cli.exitCode = EXIT_CODES["not-found"];
      await cli.answer(output, (look) => render(output, look));
    });
}

function eitherOr(): PalimpsestError {
  return new PalimpsestError("invalid-input", "either words or --key must be given", {
    advice: 'For example: lcm memory facts "which editor", or: lcm memory facts --key preferences:editor',
  });
}

function render({ at, facts, isCut }: Output, look: Look): string {
  if (facts.length === 0)
    return `No such fact held at ${look.time(at)}. --history shows what held at other times.`;
  const closing = `${counted(facts.length, "fact")} at ${look.time(at)}.${isCut ? " There are more: ask with a higher --limit." : ""}`;
  return [...facts.map((fact) => renderFact(fact, look)), closing].join("\n\n");
}

function renderFact({ memory, held, history }: Output["facts"][number], look: Look): string {
  const mark = held ? look.style("green", "✓ ") : look.style("yellow", "✗ ");
  const key = memory.factKey === null ? [] : [look.style("dim", `key ${oneLine(memory.factKey)}`)];
  const versions = history.length < 2 ? [] : [versionTable(history, look)];
  return [renderMemory(memory, look, mark), ...[...key, ...versions].map(indented)].join("\n");
}

function versionTable(history: Output["facts"][number]["history"], look: Look): string {
  const rows = history.map((version) => [
    look.time(version.validFrom),
    endOf(version, look),
    version.id,
    version.erasedAt === null ? version.abstract : "(erased)",
  ]);
  const columns = [
    { title: "from" },
    { title: "to" },
    { title: "memory" },
    { title: "said", flexible: true as const },
  ];
  return table(columns, rows, { ...look, columns: look.columns - 2 });
}

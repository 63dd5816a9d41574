/** Values of facts at a time, for people. */
import { PalimpsestError } from "../../errors.ts";
import { keyName } from "../../memory/dedup/fact-key.ts";
import { counted } from "../../text/counted.ts";
import { oneLine } from "../../text/escape-controls.ts";
import type { Look } from "../../text/terminal/look.ts";
import { indented, table } from "../../text/terminal/table.ts";
import type { FactsOutput } from "./memory-fact-query.ts";
import { renderMemory } from "./memory-page.ts";
import { endOf } from "./show-page.ts";

type Fact = FactsOutput["facts"][number];

export function eitherOr(): PalimpsestError {
  return new PalimpsestError("invalid-input", "give words or --key", {
    advice: 'For example: lcm memory facts "which editor", or: lcm memory facts --key editor',
  });
}

export function renderHeld({ at, facts, isCut }: FactsOutput, look: Look): string {
  if (facts.length === 0)
    return `No matching fact was valid at ${look.time(at)}. --history shows other times.`;
  const closing = `${counted(facts.length, "fact")} at ${look.time(at)}.${isCut ? " More exist: use a higher --limit." : ""}`;
  return [...facts.map((fact) => renderFact(fact, look)), closing].join("\n\n");
}

function renderFact({ memory, held, history }: Fact, look: Look): string {
  const mark = held ? look.style("green", "✓ ") : look.style("yellow", "✗ ");
  const key = memory.factKey === null ? [] : [look.style("dim", `key ${oneLine(keyName(memory.factKey))}`)];
  const versions = history.length < 2 ? [] : [versionTable(history, look)];
  return [renderMemory(memory, look, mark), ...[...key, ...versions].map(indented)].join("\n");
}

function versionTable(history: Fact["history"], look: Look): string {
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
    { title: "text", flexible: true },
  ] as const;
  return table(columns, rows, { ...look, columns: look.columns - 2 });
}

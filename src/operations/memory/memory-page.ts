/** A memory for people: category, id, words and relevant metadata. */
import type { Engine } from "../../engine.ts";
import { counted } from "../../text/counted.ts";
import { escapeControls, oneLine } from "../../text/escape-controls.ts";
import { AGENT_NAME, isScopeName } from "../../text/scope-name.ts";
import type { Look, Style } from "../../text/terminal/look.ts";
import { indented } from "../../text/terminal/table.ts";
import type { View } from "../command.ts";
import type { MemoryAnswer } from "./memory-schema.ts";
import { saidOrStored } from "./memory-text.ts";

const CATEGORY_STYLES: Readonly<Record<MemoryAnswer["category"], Style>> = {
  profile: ["bold", "green"],
  preferences: ["bold", "cyan"],
  entities: ["bold", "yellow"],
  events: ["bold", "magenta"],
  cases: ["bold", "red"],
  patterns: ["bold", "blue"],
};

export function renderMemory(memory: MemoryAnswer, look: Look, lead = ""): string {
  const below = [...stateOf(memory, look), ...sourcesOf(memory)];
  const lines = [sentence(memory, look), ...below.map((line) => look.style("dim", line))];
  return look.wrap(`${lead}${headOf(memory, look)}\n${indented(lines.join("\n"))}`);
}

export function headOf(memory: MemoryAnswer, look: Look): string {
  const { category, scope, saidAt, id } = memory;
  const about = [oneLine(scope), `${saidOrStored(memory)} ${look.time(saidAt)}`.trimStart(), id];
  return `${look.style(CATEGORY_STYLES[category], category)}${look.style("dim", about.map((text) => ` · ${text}`).join(""))}`;
}

export function sentence({ abstract, erasedAt }: MemoryAnswer, look: Look): string {
  return erasedAt === null ? escapeControls(abstract) : look.style("dim", "(erased)");
}

/** Empty for a current memory. */
export function stateOf(memory: MemoryAnswer, look: Look): string[] {
  const { state, invalidatedAt, supersededBy, archivedAt, archivedReason, erasedAt, validUntil } = memory;
  if (state === "erased" && erasedAt !== null) return [`its text was erased ${look.time(erasedAt)}`];
  if (state === "superseded" && invalidatedAt !== null)
    return [`replaced ${look.time(invalidatedAt)} by ${supersededBy ?? "another"}`];
  if (state === "archived" && archivedAt !== null)
    return [`archived ${look.time(archivedAt)}: ${oneLine(archivedReason ?? "no reason given")}`];
  return validUntil === null ? [] : [`expected to be valid until ${look.time(validUntil)}`];
}

const MOST_SOURCES = 2;

function sourcesOf({ sources }: MemoryAnswer): string[] {
  if (sources.length === 0) return [];
  const shown = sources.slice(0, MOST_SOURCES).map(placeOf);
  const rest = sources.length - shown.length;
  return [`from ${shown.join(", ")}${rest > 0 ? ` and ${counted(rest, "more source")}` : ""}`];
}

export function placeOf(source: MemoryAnswer["sources"][number]): string {
  const { firstMessage, firstSeq, lastSeq } = source;
  return firstSeq === lastSeq ? firstMessage : `${firstMessage}–${lastSeq}`;
}

/** Explains an empty list. */
export function noMemories({ input, on, suggest }: View<object, Engine>): string {
  if (Object.keys(input).length > 0) return `No memories match. Count them with: ${suggest("memory stats")}`;
  if (!isScopeName(`agent:${on.config.agent}`))
    return `This agent name has no access to memories. Set another with --agent or LCM_AGENT: ${AGENT_NAME}.`;
  return `No memories yet. Store one with: ${suggest('memory store "…"')}`;
}

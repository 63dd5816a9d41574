/** One memory in full, for people: metadata, sources, versions and events. */
import { keyName } from "../../memory/dedup/fact-key.ts";
import { counted } from "../../text/counted.ts";
import { escapeControls, oneLine } from "../../text/escape-controls.ts";
import type { Look } from "../../text/terminal/look.ts";
import { fields, table } from "../../text/terminal/table.ts";
import { placeOf, sentence, stateOf } from "./memory-page.ts";
import { type MemoryAnswer, validityEnd } from "./memory-schema.ts";
import type { ShownMemory } from "./memory-show.ts";

export function renderMemoryPage(
  { memory, versions, events }: ShownMemory,
  look: Look,
  wayOn: string,
): string {
  return [
    `${look.style("bold", memory.id)} ${memory.category}`,
    look.wrap(sentence(memory, look)),
    ...[memory.overview, memory.content]
      .filter((text) => text !== "")
      .map((text) => look.wrap(escapeControls(text))),
    fields(factsOf(memory, look), look),
    versionTable(memory, versions, look),
    eventTable(events, look),
    wayOn === "" ? "" : look.style("dim", wayOn),
  ]
    .filter((piece) => piece !== "")
    .join("\n\n");
}

const LIFETIMES = { static: "lasting", dynamic: "temporary" } as const;

function factsOf(memory: MemoryAnswer, look: Look): [string, string][] {
  const { factKey, tags, sources, relations, validFrom } = memory;
  const ended = stateOf(memory, look)[0];
  const state = ended === undefined ? "active" : memory.state === "active" ? `active, ${ended}` : ended;
  return [
    ["state", state],
    ["scope", oneLine(memory.scope)],
    ["valid", `from ${look.time(validFrom)}`],
    ...(factKey === null ? [] : [["key", oneLine(keyName(factKey))] as [string, string]]),
    ...(tags.length === 0 ? [] : [["tags", tags.map(oneLine).join(", ")] as [string, string]]),
    [
      "weight",
      `importance ${rounded(memory.importance)}, confidence ${rounded(memory.confidence)}, tier ${memory.tier}, ${LIFETIMES[memory.temporalType]}`,
    ],
    ["recalled", usesOf(memory, look)],
    ["origin", cameBy(memory, look)],
    ["sources", sources.map(placeOf).join(", ") || (memory.erasedAt === null ? "none" : "(erased)")],
    ...relations.map(({ type, target }): [string, string] => [type, target]),
  ];
}

/** To two decimals, without trailing zeros. */
function rounded(share: number): number {
  return Number(share.toFixed(2));
}

function cameBy({ origin, speaker, saidAt, createdAt }: MemoryAnswer, look: Look): string {
  const said = speaker === null ? "" : `, said by ${oneLine(speaker)}`;
  const captured = saidAt === createdAt ? "" : `, captured ${look.time(createdAt)}`;
  return `${origin}${said}, ${look.time(saidAt)}${captured}`;
}

function usesOf({ accessCount, lastAccessedAt, injectedCount }: MemoryAnswer, look: Look): string {
  const asked = `${counted(accessCount, "time")} on request`;
  const last = lastAccessedAt === null ? "" : ` (last ${look.time(lastAccessedAt)})`;
  return `${asked}${last}, ${counted(injectedCount, "time")} automatically`;
}

function versionTable({ id }: MemoryAnswer, versions: readonly MemoryAnswer[], look: Look): string {
  if (versions.length < 2) return "";
  const rows = versions.map((version) => [
    version.id === id ? "→" : "",
    look.time(version.validFrom),
    endOf(version, look),
    version.id,
    version.erasedAt === null ? version.abstract : "(erased)",
  ]);
  const columns = [
    { title: "" },
    { title: "from" },
    { title: "to" },
    { title: "memory" },
    { title: "text", flexible: true as const },
  ];
  return `versions, oldest first:\n${table(columns, rows, look)}`;
}

export function endOf(version: MemoryAnswer, look: Look): string {
  const end = validityEnd(version);
  if (end === null) return "now";
  return end < version.validFrom ? "never valid" : look.time(end);
}

function eventTable(events: ShownMemory["events"], look: Look): string {
  if (events.length === 0) return "";
  const rows = events.map(({ at, action, detail }) => [look.time(at), action, detailOf(detail)]);
  return `history:\n${table([{ title: "when" }, { title: "what" }, { title: "why", flexible: true }], rows, look)}`;
}

function isNames(value: unknown): value is string | string[] {
  return [value].flat().every((one) => typeof one === "string");
}

function detailOf({ reason, ...rest }: Readonly<Record<string, unknown>>): string {
  const more = Object.entries(rest).map(
    ([name, value]) => `${name} ${isNames(value) ? [value].flat().join(", ") : JSON.stringify(value)}`,
  );
  if (typeof reason !== "string") return more.join("; ");
  return more.length === 0 ? reason : [reason.replace(/\.$/, ""), ...more].join("; ");
}

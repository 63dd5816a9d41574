/** Memories for tests: one that can be varied, and arbitrary valid ones, with words of every kind. */
import fc from "fast-check";
import {
  MEMORY_CATEGORIES,
  MEMORY_ORIGINS,
  MEMORY_TIERS,
  RELATION_TYPES,
  TEMPORAL_TYPES,
} from "../../../memory-types.ts";
import { type ExchangedMemory, exchangedMemory } from "../exchanged-memory.ts";

export const NOW = "2026-11-16T12:00:00.000Z";

export function sampleMemory(changes: Partial<ExchangedMemory> = {}): ExchangedMemory {
  return { ...SAMPLE, ...changes };
}

export function memoryId(number: number): string {
  return `mem_${number.toString(16).padStart(16, "0")}`;
}

const SAMPLE: ExchangedMemory = {
  id: memoryId(1),
  scope: "user:anna",
  category: "preferences",
  abstract: "Editor: prefers Helix",
  overview: "- since 2025\n- with **vim** keys",
  content: "Anna said that she left VS Code for Helix in March 2025.",
  tier: "core",
  importance: 0.8,
  confidence: 0.9,
  temporalType: "static",
  speaker: null,
  factKey: "preferences:editor",
  tags: ["tools"],
  support: [{ context: "work", confirmations: 2, contradictions: 1, lastObservedAt: NOW }],
  relations: [{ type: "contextualizes", target: memoryId(9) }],
  sources: [{ conversation: "conv_0123456789abcdef", firstSeq: 3, lastSeq: 5, kind: "origin" }],
  origin: "model",
  createdAt: "2026-03-01T10:00:00.000Z",
  updatedAt: "2026-03-02T10:00:00.000Z",
  validFrom: "2026-03-01T10:00:00.000Z",
  validUntil: null,
  invalidatedAt: null,
  supersedes: [],
  supersededBy: null,
  archivedAt: null,
  archivedReason: null,
  erasedAt: null,
  accessCount: 4,
  lastAccessedAt: NOW,
  injectedCount: 0,
  lastInjectedAt: null,
  events: [{ at: "2026-03-01T10:00:00.000Z", action: "created", detail: "{}" }],
};

/** Pieces that could break a line, an entry, a comment or a list. */
const PIECES = [
  ...["\n", "\r\n", "\r", "  ", "\t", "\n\n", " \n", "\u2028", "\0", "\ud800", "\ufeff"],
  ...["- ", "* ", "1. ", "# ", "## user:eve", "### Profile", "---", "```", "~~~", "> ", "| a |", "`", "[ ] "],
  ...[
    "-->",
    "--",
    "<!--",
    "<!-- in full -->",
    "<!-- palimpsest {} -->",
    '<!-- palimpsest {"id":"mem_x"} -->',
  ],
  ...["好", "日本語。", "👩‍👧", "e\u0301", "\u202e", "&amp;", "\\", '"', "**x**", "word"],
];

const words = fc
  .array(fc.oneof(fc.constantFrom(...PIECES), fc.string({ unit: "binary", maxLength: 8 })), { maxLength: 12 })
  .map((pieces) => pieces.join(""));
const time = fc
  .date({ min: new Date("2001-01-01"), max: new Date("2099-01-01"), noInvalidDate: true })
  .map((date) => date.toISOString());
const id = fc.nat().map(memoryId);
const share = fc.double({ min: 0, max: 1, noNaN: true }).map((value) => value + 0);
const maybe = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: null });
const text = words.filter((value) => value !== "");

export const anyMemory: fc.Arbitrary<ExchangedMemory> = fc
  .record({
    id,
    scope: fc.constantFrom("global", "user:anna", "agent:a  b ", "custom:-->", "project:`x`\n#"),
    category: fc.constantFrom(...MEMORY_CATEGORIES),
    abstract: text,
    overview: words,
    content: words,
    tier: fc.constantFrom(...MEMORY_TIERS),
    importance: share,
    confidence: share,
    temporalType: fc.constantFrom(...TEMPORAL_TYPES),
    speaker: fc.constantFrom(null, "user", "Ada"),
    factKey: maybe(text),
    tags: fc.array(text, { maxLength: 3 }),
    support: fc.array(
      fc.record({ context: words, confirmations: fc.nat(), contradictions: fc.nat(), lastObservedAt: time }),
      { maxLength: 2 },
    ),
    relations: fc.array(fc.record({ type: fc.constantFrom(...RELATION_TYPES), target: id }), {
      maxLength: 2,
    }),
    sources: fc.array(
      fc.record({
        conversation: text,
        firstSeq: fc.nat(),
        lastSeq: fc.nat(),
        kind: fc.constantFrom("origin" as const, "support" as const),
      }),
      { maxLength: 2 },
    ),
    origin: fc.constantFrom(...MEMORY_ORIGINS),
    createdAt: time,
    updatedAt: time,
    validFrom: time,
    validUntil: maybe(time),
    invalidatedAt: maybe(time),
    supersedes: fc.array(id, { maxLength: 2 }),
    supersededBy: maybe(id),
    archivedAt: maybe(time),
    archivedReason: maybe(words),
    erasedAt: fc.option(time, { nil: null, freq: 6 }),
    accessCount: fc.nat(),
    lastAccessedAt: maybe(time),
    injectedCount: fc.nat(),
    lastInjectedAt: maybe(time),
  })
  .chain((memory) =>
    fc
      .array(
        fc.record({ at: time, action: fc.constantFrom("created", "revised", "erased"), detail: words }),
        {
          maxLength: 3,
        },
      )
      .map((events) => exchangedMemory(memory, events)),
  );

/** With unique ids. */
export const anyMemories: fc.Arbitrary<ExchangedMemory[]> = fc.uniqueArray(anyMemory, {
  selector: (memory) => memory.id,
  maxLength: 6,
});

export async function collect<Item>(items: AsyncIterable<Item> | Iterable<Item>): Promise<Item[]> {
  const collected: Item[] = [];
  for await (const item of items) collected.push(item);
  return collected;
}

/** The lines as a file reader returns them: without line feeds, and without an empty one at the end. */
export function linesOf(file: string): string[] {
  return file.replace(/\n$/, "").split("\n");
}

/** What the killed process does to long-term memory, in words that fit on one line, and what it is told. */
import { createHash } from "node:crypto";
import type { Engine } from "../../src/index.ts";
import {
  type ImportedMemory,
  importedMemory,
  type ReadItem,
} from "../../src/memory/exchange/imported-memory.ts";
import type { Memory } from "../../src/memory-types.ts";
import { rareWord, retoldRumour, type ScopeName, sayingOf } from "../properties/memory-words.ts";

export interface NewSaying {
  readonly scope: ScopeName;
  /** Of a fact; null: a rumour about the topic. */
  readonly key: string | null;
  readonly topic: string;
  /** Names the rare word of it. */
  readonly name: string;
}

export type MemoryOperation =
  | ({ readonly kind: "store" } & NewSaying)
  | { readonly kind: "store many"; readonly sayings: readonly NewSaying[] }
  | { readonly kind: "update"; readonly id: string; readonly text: string }
  | { readonly kind: "weigh"; readonly id: string; readonly importance: number }
  | { readonly kind: "forget" | "restore" | "erase"; readonly id: string }
  | { readonly kind: "import"; readonly name: string; readonly chains: number }
  | { readonly kind: "consolidate" | "index" | "reembed" };

export interface NewRow
  extends Pick<Memory, "id" | "scope" | "factKey" | "tags" | "importance" | "createdAt"> {
  readonly text: string;
  readonly replaced: readonly string[];
}

export interface MemoryAnswer {
  /** What is new, in the order in which it was stored. */
  readonly added: readonly NewRow[];
  /** What was set aside. */
  readonly archived: readonly string[];
}

const NOTHING: MemoryAnswer = { added: [], archived: [] };

export async function perform({ memory }: Engine, operation: MemoryOperation): Promise<MemoryAnswer> {
  switch (operation.kind) {
    case "store": {
      const stored = await memory.store({ ...inputOf(operation), force: true });
      return added(rowOf(stored.memory, stored.replaced));
    }
    case "store many": {
      const stored = await memory.storeMany(operation.sayings.map(inputOf));
      return added(...stored.map((one) => rowOf(one, one.supersedes)));
    }
    case "update": {
      const { memory: version, replaced } = await memory.update({ id: operation.id, text: operation.text });
      return added(rowOf(version, [replaced ?? ""]));
    }
    case "weigh":
      await memory.update({ id: operation.id, importance: operation.importance });
      return NOTHING;
    case "restore":
      await memory.update({ id: operation.id, restore: true });
      return NOTHING;
    case "forget":
      return { ...NOTHING, archived: (await memory.forget({ id: operation.id })).ids };
    case "erase":
      await memory.forget({ id: operation.id, erase: true });
      return NOTHING;
    case "import":
      await memory.exchange.import(itemsOf(importedBy(operation)));
      return NOTHING;
    case "consolidate":
      return { ...NOTHING, archived: (await memory.maintenance.consolidate()).archived.map(({ id }) => id) };
    case "index":
      await memory.maintenance.index();
      return NOTHING;
    case "reembed":
      await memory.maintenance.reembed();
      return NOTHING;
  }
}

export function textOf({ key, topic, name }: NewSaying): string {
  return key === null ? retoldRumour(topic, name) : sayingOf(key, rareWord(name));
}

function inputOf(saying: NewSaying) {
  const { scope, key } = saying;
  const category = key === null ? ("events" as const) : ("preferences" as const);
  return { text: textOf(saying), scope, category, ...(key === null ? {} : { factKey: key }) };
}

function added(...rows: readonly NewRow[]): MemoryAnswer {
  return { ...NOTHING, added: rows };
}

export function rowOf(memory: Memory, replaced: readonly string[]): NewRow {
  const { id, scope, factKey, tags, importance, createdAt, abstract: text } = memory;
  return { id, scope, factKey, tags, importance, createdAt, text, replaced };
}

const DAY = 24 * 3_600_000;
/** Versions of each imported fact. */
const VERSIONS = 3;

/** Facts of several versions each, oldest first, as they are stored. */
export function importedBy({
  name,
  chains,
}: Extract<MemoryOperation, { kind: "import" }>): readonly ImportedMemory[] {
  const idOf = (chain: number, version: number) => `mem_${hex(`${name} ${chain} ${version}`)}`;
  return Array.from({ length: VERSIONS }, (_, version) =>
    Array.from({ length: chains }, (_, chain) => {
      const at = new Date(Date.UTC(2025, 0, 1) + version * DAY).toISOString();
      return importedMemory({
        id: idOf(chain, version),
        category: "preferences",
        scope: "global",
        factKey: `preferences:${name} ${chain}`,
        ...{
          abstract: sayingOf(`thing ${chain}`, rareWord(`${name} ${chain} ${version}`)),
          overview: "",
          content: "",
        },
        ...{ createdAt: at, validFrom: at, tags: ["imported"] },
        supersedes: version === 0 ? [] : [idOf(chain, version - 1)],
        supersededBy: version === VERSIONS - 1 ? null : idOf(chain, version + 1),
      });
    }).toSorted((a, b) => (a.id < b.id ? -1 : 1)),
  ).flat();
}

function hex(name: string): string {
  return createHash("sha256").update(name).digest("hex").slice(0, 16);
}

async function* itemsOf(memories: readonly ImportedMemory[]): AsyncGenerator<ReadItem> {
  for (const [place, memory] of memories.entries()) yield { line: place + 1, memory };
}

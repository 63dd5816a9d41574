/** Small inputs for tests of long-term memory, with all fields set. */
import { sha256 } from "../../text/bytes.ts";
import type {
  MemoryStore,
  MemoryWrite,
  MemoryWriteResult,
  NewDecision,
  NewMemory,
  RememberWrite,
  ReviseWrite,
  StoredMemory,
} from "../memory-store.ts";
import { newlyStored } from "../rules/newly-stored.ts";
import { AT } from "./sample.ts";

let memories = 0;
let erasures = 0;
let decisions = 0;

export function memoryIdFor(name: string): string {
  return `mem_${sha256(name).slice(0, 16)}`;
}

/** Its text shares nothing with another sample. */
export function sampleMemory(scope: string, more: Partial<NewMemory> = {}): NewMemory {
  const number = ++memories;
  return {
    id: memoryIdFor(`memory ${number}`),
    scope,
    abstract: `fact ${number}`,
    overview: `## Fact ${number}`,
    content: `All that is known of fact ${number}.`,
    category: "preferences",
    tier: "working",
    importance: 0.5,
    confidence: 0.75,
    temporalType: "static",
    speaker: null,
    factKey: null,
    tags: [],
    support: [],
    relations: [],
    sources: [],
    origin: "manual",
    createdAt: AT,
    validFrom: AT,
    validUntil: null,
    ...more,
  };
}

export function sampleRemember(memory: NewMemory, more: Partial<RememberWrite> = {}): RememberWrite {
  return { kind: "remember", memory, supersedes: [], detail: '{"why":"test"}', ...more };
}

export function sampleRevise(
  id: string,
  changes: ReviseWrite["changes"],
  more: Partial<ReviseWrite> = {},
): ReviseWrite {
  return { kind: "revise", id, changes, event: { at: AT, action: "revised", detail: "{}" }, ...more };
}

export function sampleDecision(scope: string, more: Partial<NewDecision> = {}): NewDecision {
  return {
    at: AT,
    agent: "default",
    stage: "admit",
    verdict: "rejected",
    reason: `It says nothing that lasts (${++decisions}).`,
    detail: '{"score":0.2}',
    memory: null,
    scope,
    conversation: null,
    firstSeq: null,
    lastSeq: null,
    ...more,
  };
}

export function sampleForget(ids: readonly string[]): Extract<MemoryWrite, { kind: "erase-memories" }> {
  // A load treats equal records as one.
  const detail = JSON.stringify({ erasure: ++erasures });
  const audit = { at: AT, action: "erase-memories", conversation: null, detail };
  return { kind: "erase-memories", ids, at: AT, agent: "default", audit };
}

/** Stores one memory and returns it as stored. */
export async function remember(
  store: MemoryStore,
  memory: NewMemory,
  more: Partial<RememberWrite> = {},
): Promise<StoredMemory> {
  return onlyMemoryResult(await store.commit([sampleRemember(memory, more)]), "remember").memory;
}

/** The result of the only write, which is of this kind. */
export function onlyMemoryResult<Kind extends MemoryWrite["kind"]>(
  results: readonly MemoryWriteResult[],
  kind: Kind,
): Extract<MemoryWriteResult, { kind: Kind }> {
  const result = results[0];
  if (results.length !== 1 || result?.kind !== kind) throw new Error(`expected one ${kind} result`);
  return result as Extract<MemoryWriteResult, { kind: Kind }>;
}

/** The time this many seconds after the default one. */
export function later(seconds: number): string {
  return new Date(Date.parse(AT) + seconds * 1_000).toISOString();
}

/** A memory in its stored form, without a store. */
export function storedMemory(more: Partial<StoredMemory> = {}): StoredMemory {
  return { ...newlyStored({ memory: sampleMemory("global"), supersedes: [] }, 1), ...more };
}

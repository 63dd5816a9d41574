/**
 * Turns the decision about a candidate into writes. Pure. All writes of a decision belong to one
 * commit: a new version and the end of the old one, support for or against a memory with its source.
 */
import type { MemoryRelation, MemorySource, MemoryText } from "../../memory-types.ts";
import type {
  MemoryWrite,
  NewMemory,
  PassageVectors,
  RememberWrite,
  StoredMemory,
} from "../../store/memory-store.ts";
import { addVoice, type SupportVoice } from "../support.ts";
import type { Effect, VerdictPlan } from "./verdict.ts";

export interface Candidate {
  readonly memory: NewMemory;
  readonly vectors: PassageVectors | undefined;
}

interface WritesInput {
  readonly plan: VerdictPlan;
  readonly candidate: Candidate;
  /** The memories that the effects may name. */
  readonly known: readonly StoredMemory[];
  /** The text written from the candidate and its targets; null: nothing is merged. */
  readonly merged: MergedText | null;
  readonly at: string;
}

export interface MergedText {
  /** The id of the new memory. */
  readonly id: string;
  readonly text: MemoryText;
  readonly vectors: PassageVectors | undefined;
}

export function writesOf(input: WritesInput): readonly MemoryWrite[] {
  return input.plan.effects.flatMap((effect) => writesOfEffect(effect, input));
}

function writesOfEffect(effect: Effect, input: WritesInput): readonly MemoryWrite[] {
  const { candidate, plan } = input;
  switch (effect.kind) {
    case "create":
      return [{ ...remember(candidate, [], plan), ...lateBy(effect) }];
    case "supersede":
      return [remember(candidate, effect.targets, plan)];
    case "merge":
      return mergeWrites(effect.targets, effect.label, input);
    case "support":
      return voice(effect.target, effect.label, "confirms", input);
    case "contextualize":
      return [
        remember(related(candidate, "contextualizes", effect.target, effect.label, input.at), [], plan),
      ];
    case "contradict":
      return [
        ...voice(effect.target, effect.label, "contradicts", input),
        remember(related(candidate, "contradicts", effect.target, effect.label, input.at), [], plan),
      ];
    case "skip":
      return [];
  }
}

function remember(
  { memory, vectors }: Candidate,
  supersedes: readonly string[],
  { applied, reason }: VerdictPlan,
): RememberWrite {
  const detail = JSON.stringify({ verdict: applied, reason });
  return { kind: "remember", memory, supersedes, detail, ...(vectors === undefined ? {} : { vectors }) };
}

function lateBy({ supersededBy }: Extract<Effect, { kind: "create" }>): Pick<RememberWrite, "supersededBy"> {
  return supersededBy === undefined ? {} : { supersededBy };
}

/** A memory that is valid in one situation is marked with it, and does not share the fact key of others. */
function related(
  { memory, vectors }: Candidate,
  type: MemoryRelation["type"],
  target: string,
  label: string,
  at: string,
): Candidate {
  const support = addVoice(memory.support, label, "confirms", at);
  return {
    memory: { ...memory, factKey: null, support, relations: [...memory.relations, { type, target }] },
    vectors,
  };
}

function voice(
  target: string,
  label: string,
  which: SupportVoice,
  { known, candidate, plan, at }: WritesInput,
): readonly MemoryWrite[] {
  const memory = known.find(({ id }) => id === target);
  if (memory === undefined) return [];
  return [
    {
      kind: "revise",
      id: target,
      changes: { support: addVoice(memory.support, label, which, at) },
      unchangedSince: memory.updatedAt,
      addSources: which === "confirms" ? candidate.memory.sources.map(asSupport) : [],
      event: {
        at,
        action: which === "confirms" ? "supported" : "contradicted",
        detail: JSON.stringify({ label, reason: plan.reason }),
      },
    },
  ];
}

function asSupport(source: MemorySource): MemorySource {
  return { ...source, kind: "support" };
}

/**
 * Erasing any source erases the merged memory, so it has all of them. The candidate is stored as well, as already
 * replaced: when a source of the others is erased, the candidate is restored without them.
 */
function mergeWrites(targets: readonly string[], label: string, input: WritesInput): readonly MemoryWrite[] {
  const { candidate, merged, known, plan, at } = input;
  const into = known.filter(({ id }) => targets.includes(id));
  if (merged === null || into.length === 0) return [remember(candidate, [], plan)];
  const { memory } = candidate;
  const all: readonly NewMemory[] = [...into, memory];
  const supported = into.flatMap(({ support }) => support);
  const written: NewMemory = {
    ...memory,
    ...merged.text,
    id: merged.id,
    tier: "working",
    confidence: 0.8,
    ...ofMerged(all),
    support: addVoice(supported, label, "confirms", at),
    origin: "merge",
  };
  const replaced = all.map(({ id }) => id);
  return [
    remember(candidate, [], { ...plan, reason: "It was merged with a known memory." }),
    remember({ memory: written, vectors: merged.vectors }, replaced, plan),
  ];
}

/** The metadata of a memory merged from all of these. */
export function ofMerged(
  all: readonly NewMemory[],
): Pick<NewMemory, "importance" | "tags" | "sources" | "relations"> {
  return {
    importance: Math.max(...all.map(({ importance }) => importance)),
    tags: [...new Set(all.flatMap(({ tags }) => tags))],
    sources: distinctSources(all.flatMap(({ sources }) => sources)),
    relations: all.map(({ id }) => ({ type: "merged-from", target: id })),
  };
}

function distinctSources(sources: readonly MemorySource[]): readonly MemorySource[] {
  return [...new Map(sources.map((source) => [JSON.stringify(source), source])).values()];
}

/**
 * Recalls memories for a question: gathers candidates by words and semantically, ranks them, reranks them if there
 * is a reranker, and adjusts scores by the metadata of each memory. Equal input gives equal results. Every stage
 * writes a trace, and every step that failed is reported.
 */
import type { Memory } from "../../memory-types.ts";
import type { StemmedTexts } from "../../search/calibrated/stemmed-texts.ts";
import { requireGiven } from "../../text/given.ts";
import { normaliseTimestamp } from "../../text/timestamps.ts";
import { type RecallInput, type RecallMode, recallInput } from "../inputs.ts";
import type { MemoryDependencies } from "../memory-dependencies.ts";
import type { UseCounter } from "../remember/use-counter.ts";
import { type EmbedOptions, embedQuestion } from "./embed-question.ts";
import { expandQuery } from "./expand-query.ts";
import { gatherPool, type MemoryFilter } from "./gather-pool.ts";
import type { MemoryWords } from "./index/memory-words.ts";
import { noteMissingVectors } from "./missing-vectors.ts";
import type { OlderEmbedders } from "./older-embedders.ts";
import { type OneSide, type Ranked, rankPool } from "./rank-pool.ts";
import { type Settled, settle } from "./settle.ts";
import type { StageTrace } from "./stage.ts";
import { readTags } from "./tags.ts";

export interface RecalledMemory {
  readonly memory: Memory;
  /** 0 to 1. */
  readonly score: number;
  /** The components of the score, by name. */
  readonly parts: Readonly<Record<string, number>>;
}

export interface RecallResult {
  readonly memories: readonly RecalledMemory[];
  readonly mode: RecallMode;
  /** Number of memories that were searched. */
  readonly searched: number;
  /** Steps that failed, with the reason. */
  readonly notes: readonly string[];
  /** Whether hits were left out because of the limits. */
  readonly isCut: boolean;
  /** The trace of each stage; empty unless requested. */
  readonly trace: readonly RecallStage[];
}

interface RecallStage extends StageTrace {
  readonly milliseconds: number;
}

export interface RecallDependencies extends MemoryDependencies {
  readonly words: MemoryWords;
  readonly uses: UseCounter;
  readonly texts: StemmedTexts;
  readonly older: OlderEmbedders;
}

export interface RecallOptions {
  readonly signal?: AbortSignal | undefined;
  /** Also returns the trace of each stage, and does not count as a use. Default false. */
  readonly explain?: boolean;
  /** Ranks by words or vectors alone, regardless of the mode; a baseline for benchmarks. */
  readonly rankedBy?: OneSide;
}

interface TimedRecallOptions extends RecallOptions {
  /** Timeout for embedding the question, after which only words are searched. */
  readonly embedMilliseconds?: number;
}

const DEFAULT_LIMIT = 5;

export async function recall(
  given: RecallInput,
  use: RecallDependencies,
  options: TimedRecallOptions = {},
): Promise<RecallResult> {
  const input = requireGiven("memory_recall", recallInput, given);
  const mode = input.mode ?? use.settings.recallMode;
  const ranking = options.rankedBy ?? mode;
  const { tags, rest } = readTags(input.query);
  const question = rest === "" ? input.query : rest;
  const notes: string[] = [];
  const clock = new StageClock();

  const vectors =
    ranking === "words" || tags.length > 0
      ? []
      : await embedQuestion(question, use, notes, embedOptions(options));
  clock.note("embed", vectors.length);
  const limit = input.limit ?? DEFAULT_LIMIT;
  const conversations = input.project === undefined ? null : await use.conversationsOf(input.project);
  const filter = { ...filterOf(input, tags), conversations };
  const pool = await gatherPool(
    {
      words: expandQuery(question, input.source ?? "manual").query,
      vectors,
      wanted: limit * 2,
      withNeighbours: ranking === "calibrated",
      filter,
    },
    use,
  );
  clock.note("gather", pool.entries.length);
  notes.push(...(await noteMissingVectors(vectors, pool.entries, use)));
  options.signal?.throwIfAborted();

  const now = use.clock();
  const isTagged = filter.tags.length > 0;
  const ranked = rankPool(ranking, { question, now, pool, texts: use.texts, isTagged });
  clock.note("rank", ranked.items.length);
  const settled = await settle(
    ranked.items,
    {
      ranking,
      question,
      queryVector: vectors[0]?.values ?? null,
      limit,
      maxTokens: input.maxTokens ?? Number.POSITIVE_INFINITY,
      now,
      notes,
      ...(options.signal === undefined ? {} : { signal: options.signal }),
    },
    use,
  );
  clock.add(settled.traces);
  const memories = recalled(settled, ranked);
  if (options.explain !== true && input.source !== "auto")
    use.uses.count(
      memories.map(({ memory }) => memory.id),
      "access",
    );
  return {
    memories,
    mode,
    searched: pool.statistics.documents,
    notes,
    isCut: settled.isCut,
    trace: options.explain === true ? clock.stages : [],
  };
}

function embedOptions({ signal, embedMilliseconds }: TimedRecallOptions): EmbedOptions {
  return {
    ...(signal === undefined ? {} : { signal }),
    ...(embedMilliseconds === undefined ? {} : { milliseconds: embedMilliseconds }),
  };
}

function recalled({ items }: Settled, { parts }: Ranked): readonly RecalledMemory[] {
  return items.map(({ memory, score }) => ({ memory, score, parts: parts.get(memory.id) ?? {} }));
}

function filterOf(input: RecallInput, tags: readonly string[]): Omit<MemoryFilter, "conversations"> {
  return {
    scopes: input.scopes ?? null,
    categories: input.categories ?? null,
    tags: [...tags, ...(input.tags ?? [])],
    since: normaliseTimestamp(input.since) ?? null,
    before: normaliseTimestamp(input.before) ?? null,
    at: normaliseTimestamp(input.at) ?? null,
    archived: input.archived === true,
  };
}

/** How long each stage took: the time since the previous one. */
class StageClock {
  readonly stages: RecallStage[] = [];
  #since = performance.now();

  note(stage: string, out: number): void {
    this.add([{ stage, in: out, out, dropped: [], changes: [] }]);
  }

  add(traces: readonly StageTrace[]): void {
    const now = performance.now();
    const each = (now - this.#since) / Math.max(1, traces.length);
    this.stages.push(...traces.map((trace) => ({ ...trace, milliseconds: each })));
    this.#since = now;
  }
}

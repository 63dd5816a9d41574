/**
 * The final stages of a ranking: a reranker scores the first hits again, and the metadata of each
 * memory adjusts its score. The mode `seed` runs all of its stages; the others apply decay, demotion and support, and cut
 * only at the limits.
 */
import type { Memory } from "../../memory-types.ts";
import type { MemoryDependencies } from "../memory-dependencies.ts";
import type { Ranking } from "./rank-pool.ts";
import type { RerankScores } from "./rerank-blend.ts";
import { keep, type Scored, type StageTrace } from "./stage.ts";
import {
  BEFORE_RERANK,
  fromRerank,
  runStages,
  SEED_DIVERSITY,
  SEED_ORDER,
  type StageInput,
  type StageName,
} from "./stages.ts";

interface SettleInput {
  readonly ranking: Ranking;
  readonly question: string;
  readonly queryVector: Float32Array | null;
  readonly limit: number;
  readonly maxTokens: number;
  readonly now: number;
  readonly notes: string[];
  readonly signal?: AbortSignal | undefined;
}

export interface Settled {
  readonly items: readonly Scored[];
  readonly traces: readonly StageTrace[];
  readonly isCut: boolean;
}

type Use = Pick<MemoryDependencies, "store" | "embedder" | "rerank" | "settings" | "countTokens">;

const MOVES: readonly StageName[] = ["decay_boost", "noise", "expiry", "support", "diversity", "limit"];

export async function settle(ranked: readonly Scored[], input: SettleInput, use: Use): Promise<Settled> {
  const { ranking } = input;
  const before = ranking === "seed" ? BEFORE_RERANK : use.rerank === null ? [] : (["rerank_window"] as const);
  const stageInput = stageInputOf(input, use);
  const first = runStages(before, ranked, stageInput);
  const needsVectors = ranking === "seed" || use.settings.recallDiversity;
  const items = needsVectors ? await withVectors(first.items, use) : first.items;
  const rerank = await rerankScores(items, input, use);
  const order =
    ranking === "seed"
      ? fromRerank(SEED_ORDER)
      : [...(rerank === null ? [] : (["rerank"] as const)), ...MOVES];
  const rest = runStages(order, items, { ...stageInput, rerank });
  const fitting = withinTokens(rest.items, input.maxTokens, use);
  return {
    items: fitting.items,
    traces: [...first.traces, ...rest.traces, ...fitting.traces],
    isCut: fitting.items.length < ranked.length,
  };
}

function stageInputOf({ limit, now, queryVector }: SettleInput, { settings }: Use): StageInput {
  const diversityAbove = settings.recallDiversity ? SEED_DIVERSITY : null;
  return { now, limit, queryVector, rerank: null, diversityAbove };
}

/** Uses the first passage, which contains the abstract. */
async function withVectors(items: readonly Scored[], { store, embedder }: Use): Promise<readonly Scored[]> {
  if (embedder === null || items.length === 0) return items;
  const refs = await store.memoriesById(items.map(({ memory }) => memory.id));
  const vectors = await store.memoryVectors(embedder.model, refs);
  const firsts = new Map(refs.map(({ id }, place) => [id, vectors[place]?.[0]]));
  return items.map((item) => ({ ...item, vector: firsts.get(item.memory.id) ?? null }));
}

/** Null without a reranker or when it failed; the order is then unchanged. */
async function rerankScores(
  items: readonly Scored[],
  { question, notes, signal }: SettleInput,
  { rerank }: Use,
): Promise<RerankScores | null> {
  if (rerank === null || items.length === 0) return null;
  const texts = items.map(({ memory }) => textOf(memory));
  const outcome = await rerank(question, texts, {
    topN: items.length,
    ...(signal === undefined ? {} : { signal }),
  });
  if (!outcome.ok) {
    notes.push(`The reranker did not answer (${outcome.message}); the order is unchanged.`);
    return null;
  }
  return new Map(
    outcome.ranking.flatMap(({ index, score }) => {
      const item = items[index];
      return item === undefined ? [] : [[item.memory.id, score] as const];
    }),
  );
}

function textOf({ abstract, overview, content }: Memory): string {
  return [abstract, content === "" ? overview : content].filter((text) => text !== "").join("\n");
}

/** The first items that fit the token limit together; always at least one. */
function withinTokens(
  items: readonly Scored[],
  maxTokens: number,
  { countTokens }: Use,
): { readonly items: readonly Scored[]; readonly traces: readonly StageTrace[] } {
  if (maxTokens === Number.POSITIVE_INFINITY) return { items, traces: [] };
  let tokens = 0;
  const { items: kept, trace } = keep("token_budget", items, ({ memory }, place) => {
    tokens += countTokens(textOf(memory));
    return place === 0 || tokens <= maxTokens;
  });
  return { items: kept, traces: [trace] };
}

/** Ranks gathered memories with one of the rankings. Scores are between 0 and 1 and list their components. */

import type { StemmedTexts } from "../../search/calibrated/stemmed-texts.ts";
import type { RecallMode } from "../inputs.ts";
import { rankCalibrated } from "./calibrated/rank-calibrated.ts";
import type { Pool, PoolEntry } from "./gather-pool.ts";
import { fuseScores, vectorScore, wordScore } from "./seed-fusion.ts";
import { inOrder, type Scored } from "./stage.ts";

/** A mode, or a baseline for benchmarks: words or vectors alone. */
export type Ranking = RecallMode | OneSide;
export type OneSide = "words" | "vectors";

export interface RankInput {
  readonly question: string;
  /** The time of the query. */
  readonly now: number;
  readonly pool: Pool;
  readonly texts: StemmedTexts;
  /** A query with a tag matches every memory with that tag. */
  readonly isTagged: boolean;
}

export interface Ranked {
  /** The best first. */
  readonly items: readonly Scored[];
  /** The components of each score, by id. */
  readonly parts: ReadonlyMap<string, Readonly<Record<string, number>>>;
}

export type Scoring = (entry: PoolEntry) => {
  readonly score: number;
  readonly parts: Readonly<Record<string, number>>;
};

export function rankPool(ranking: Ranking, input: RankInput): Ranked {
  const scoring = scoringOf(ranking, input);
  const parts = new Map<string, Readonly<Record<string, number>>>();
  const items = input.pool.entries.map((entry) => {
    const { score, parts: made } = scoring(entry);
    const { memory, cosine, words } = entry;
    parts.set(memory.id, { ...made, ...(cosine === null ? {} : { cosine }), coverage: words.coverage });
    return {
      memory,
      score,
      vectorScore: cosine === null ? null : vectorScore(1 - cosine),
      wordScore: words.stemmed > 0 ? wordScore(words.stemmed) : null,
      vector: null,
    };
  });
  return { items: inOrder(items.filter(({ score }) => score > 0)), parts };
}

function scoringOf(ranking: Ranking, input: RankInput): Scoring {
  switch (ranking) {
    case "calibrated":
      return rankCalibrated(input);
    case "seed":
      return seedScoring;
    case "words":
      return wordScoring(input.pool);
    case "vectors":
      return ({ cosine }) => ({ score: Math.max(0, cosine ?? 0), parts: {} });
  }
}

function seedScoring({ cosine, words }: PoolEntry): ReturnType<Scoring> {
  const vector = cosine === null ? null : vectorScore(1 - cosine);
  const word = words.stemmed > 0 ? wordScore(words.stemmed) : null;
  return {
    score: fuseScores(vector, word),
    parts: { ...(vector === null ? {} : { vector }), ...(word === null ? {} : { words: word }) },
  };
}

/** The maximum score of a word, reached by repeating it. */
const MOST_OF_A_WORD = 2.2;

function wordScoring({ statistics }: Pool): Scoring {
  const most = statistics.stemmed.ideal * MOST_OF_A_WORD;
  return ({ words }) => ({
    score: most > 0 ? Math.min(1, words.stemmed / most) : 0,
    parts: { bm25: words.stemmed },
  });
}

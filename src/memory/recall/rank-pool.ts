/** Orders what was gathered, each mode in its own way. Scores lie between 0 and 1, and say what they are made of. */

import type { StemmedTexts } from "../../search/calibrated/stemmed-texts.ts";
import type { RecallMode } from "../inputs.ts";
import { rankCalibrated } from "./calibrated/rank-calibrated.ts";
import type { Pool, PoolEntry } from "./gather-pool.ts";
import { fuseScores, vectorScore, wordScore } from "./seed-fusion.ts";
import { byAge, inOrder, type Scored } from "./stage.ts";

interface RankInput {
  readonly question: string;
  readonly pool: Pool;
  readonly texts: StemmedTexts;
  /** Whoever names a tag wants what carries it, whatever else is asked. */
  readonly isTagged: boolean;
}

export interface Ranked {
  /** The best first. */
  readonly items: readonly Scored[];
  /** What made each score, by id. */
  readonly parts: ReadonlyMap<string, Readonly<Record<string, number>>>;
}

type Scoring = (entry: PoolEntry) => {
  readonly score: number;
  readonly parts: Readonly<Record<string, number>>;
};

export function rankPool(mode: RecallMode, input: RankInput): Ranked {
  const scoring = scoringOf(mode, input);
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

function scoringOf(mode: RecallMode, { question, pool, texts, isTagged }: RankInput): Scoring {
  switch (mode) {
    case "calibrated":
      return rankCalibrated(question, { pool, texts, isTagged });
    case "seed":
      return seedScoring;
    case "fusion":
      return rankFusion(pool);
    case "words":
      return wordScoring(pool);
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

/** What a memory can score that has nothing but words of the question, over and over. */
const MOST_OF_A_WORD = 2.2;

function wordScoring({ statistics }: Pool): Scoring {
  const most = statistics.stemmed.ideal * MOST_OF_A_WORD;
  return ({ words }) => ({
    score: most > 0 ? Math.min(1, words.stemmed / most) : 0,
    parts: { bm25: words.stemmed },
  });
}

/** Dampens the first places, so that two good ranks are worth more than one that is best. The usual constant. */
const DAMPING = 60;

function rankFusion({ entries }: Pool): Scoring {
  const byWords = ranksBy(entries, ({ words }) => words.stemmed);
  const byMeaning = ranksBy(entries, ({ cosine }) => cosine ?? 0);
  const share = (rank: number | undefined) =>
    rank === undefined ? 0 : (DAMPING + 1) / (2 * (DAMPING + rank));
  return ({ memory }) => {
    const parts = { words: share(byWords.get(memory.id)), meaning: share(byMeaning.get(memory.id)) };
    return { score: parts.words + parts.meaning, parts };
  };
}

/** From 1; what scores nothing has none. */
function ranksBy(
  entries: readonly PoolEntry[],
  scoreOf: (entry: PoolEntry) => number,
): ReadonlyMap<string, number> {
  const ordered = entries
    .filter((entry) => scoreOf(entry) > 0)
    .toSorted((a, b) => scoreOf(b) - scoreOf(a) || byAge(a.memory, b.memory));
  return new Map(ordered.map(({ memory }, place) => [memory.id, place + 1]));
}

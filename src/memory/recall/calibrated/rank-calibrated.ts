import type { Pool, PoolEntry } from "../gather-pool.ts";

export async function rankCalibrated(_question: string, { statistics }: Pool) {
  const most = statistics.stemmed.ideal * 2.2;
  return ({ words, cosine }: PoolEntry) => {
    const parts = { words: most > 0 ? words.stemmed / most : 0, meaning: 0.5 * Math.max(0, cosine ?? 0) };
    return { score: parts.words + parts.meaning, parts };
  };
}

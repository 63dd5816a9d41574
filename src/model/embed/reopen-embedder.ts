/**
 * The embedder behind a name that stands with stored vectors, so that they serve until others are made. Only what can be
 * reached with the present settings: a host's own embedder, or one whose provider has no key here, cannot.
 */

import type { Embedder } from "./embedder.ts";
import { LOCAL_MODELS, type LocalEngine, localEmbedder } from "./local/local-embedder.ts";
import { cacheFolderOf, type EmbedderSettings, type EmbedderSurroundings } from "./open-embedder.ts";
import { remoteEmbedder } from "./remote-embedder.ts";
import { withQueryCache } from "./with-query-cache.ts";

const REMOTE = /^(?<embeddingModel>[^/]+\/[^@]+)(?:@(?<dimensions>\d+))?$/;

/** Null when it cannot be opened. */
export function reopenEmbedder(
  model: string,
  settings: EmbedderSettings,
  around: EmbedderSurroundings,
): Embedder | null {
  const engine = (Object.keys(LOCAL_MODELS) as LocalEngine[]).find((name) => LOCAL_MODELS[name] === model);
  if (engine !== undefined)
    return withQueryCache(localEmbedder({ log: around.log, cacheFolder: cacheFolderOf(settings), engine }));
  const { embeddingModel, dimensions } = REMOTE.exec(model)?.groups ?? {};
  if (embeddingModel === undefined) return null;
  try {
    const embeddingDimensions = dimensions === undefined ? null : Number(dimensions);
    return withQueryCache(remoteEmbedder({ ...settings, embeddingModel, embeddingDimensions }, around));
  } catch {
    // Its name is no provider's, or it has no address: its vectors wait until they are replaced.
    return null;
  }
}

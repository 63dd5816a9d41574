/**
 * The embedder behind a name that stands with stored vectors, so that they serve until others are made. Only what can be
 * reached with the present settings: a host's own embedder, or one whose provider has no key here, cannot.
 */

import type { Embedder } from "./embedder.ts";
import { EARLIER_LOCAL_MODELS, LOCAL_MODEL, localEmbedder } from "./local/local-embedder.ts";
import type { EmbedderSurroundings } from "./open-embedder.ts";
import { type RemoteEmbedderSettings, remoteEmbedder } from "./remote-embedder.ts";
import { withQueryCache } from "./with-query-cache.ts";

const REMOTE = /^(?<embeddingModel>[^/]+\/[^@]+)(?:@(?<dimensions>\d+))?$/;

/** Null when it cannot be opened. */
export function reopenEmbedder(
  model: string,
  settings: RemoteEmbedderSettings,
  around: EmbedderSurroundings,
): Embedder | null {
  if ([LOCAL_MODEL, ...EARLIER_LOCAL_MODELS].includes(model))
    return withQueryCache(localEmbedder({ log: around.log, model }));
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

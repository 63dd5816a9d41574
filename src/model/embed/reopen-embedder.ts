/**
 * Opens the embedder of stored vectors by its name, so that they are usable until they are replaced. Only embedders
 * available with the current settings: not a host's embedder, or one whose provider has no key here.
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
    // Unknown provider or no address: its vectors are unused until they are replaced.
    return null;
  }
}

/** Explores a text in memory, cut into pieces of any size. */

import type { Exploration } from "../exploration.ts";
import { explore } from "../explore.ts";

export interface TextOptions {
  readonly name?: string;
  readonly mime?: string;
  /** Bytes of a piece; default 64 kB. */
  readonly piece?: number;
}

export function exploreText(text: string, options: TextOptions = {}): Promise<Exploration> {
  return exploreBytes(Buffer.from(text), options);
}

export function exploreBytes(
  bytes: Uint8Array,
  { name, mime, piece = 65_536 }: TextOptions = {},
): Promise<Exploration> {
  async function* open() {
    for (let from = 0; from < bytes.length; from += piece) yield bytes.subarray(from, from + piece);
  }
  return explore({ name: name ?? null, mime: mime ?? null, bytes: bytes.length, open });
}

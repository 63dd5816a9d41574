/** The exploration of a content that is at hand. */

import { explore } from "./explore.ts";
import type { ContentAbout } from "./explorer.ts";

const PIECE = 64 * 1024;

export async function exploreContent(content: Uint8Array, about: ContentAbout): Promise<string> {
  async function* open() {
    for (let at = 0; at < content.length; at += PIECE) yield content.subarray(at, at + PIECE);
  }
  return (await explore({ ...about, bytes: content.length, open })).text;
}

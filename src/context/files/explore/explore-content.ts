/** Explores content in memory. A long exploration yields to other work of its thread. */

import { GiveWay } from "../../../threads/give-way.ts";
import { explore } from "./explore.ts";
import type { ContentAbout } from "./explorer.ts";

const PIECE = 64 * 1024;

export async function exploreContent(content: Uint8Array, about: ContentAbout): Promise<string> {
  const giveWay = new GiveWay();
  async function* open() {
    for (let at = 0; at < content.length; at += PIECE) {
      yield content.subarray(at, at + PIECE);
      await giveWay.ifDue();
    }
  }
  return (await explore({ ...about, bytes: content.length, open })).text;
}

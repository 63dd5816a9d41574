/** Puts the original of a message back that was found again. One that does not match the digest on record is left out. */
import { PalimpsestError } from "../../errors.ts";
import { sha256 } from "../../text/hash.ts";
import { encodeUtf8 } from "../../text/utf8.ts";
import { encodeContent } from "../content-encoding.ts";
import type { StoredFile } from "../file-store.ts";
import { cutPayloads } from "../payloads.ts";
import type { HeldConversation } from "../port.ts";
import { filesOfMessage } from "../reads/files.ts";
import { digestContent } from "../seal.ts";
import type { RestoredMessage } from "../store.ts";
import { readSeal, updateContent } from "../tables/messages.ts";

export async function restoreMessage(
  held: HeldConversation,
  conversation: string,
  { seq, content }: RestoredMessage,
): Promise<void> {
  const seal = await readSeal(held, seq);
  if (seal === undefined || seal.salt === null || digestContent(seal.salt, content) !== seal.digest) return;
  const original = typeof content === "string" ? encodeUtf8(content) : content;
  const files = await filesOfMessage(held.port, held.scope, conversation, seq);
  const cut = cutAgain(original, files);
  if (cut !== null) await held.port.contents.renew(held.scope, cut.contents);
  updateContent(held, seq, {
    ...encodeContent(cut?.rest ?? content),
    size: original.byteLength,
    largeContent: cut === null ? null : (files[0]?.id ?? null),
  });
}

/** Null where its files do not lie in it as their rows say: it is kept whole then. */
function cutAgain(
  original: Uint8Array,
  files: readonly StoredFile[],
): { readonly rest: Uint8Array; readonly contents: ReadonlyMap<string, Uint8Array> } | null {
  if (files.length === 0) return null;
  try {
    const { rest, contents } = cutPayloads(original, files);
    const payloads = contents.flatMap((content, index) => {
      const file = files[index];
      return content === null || file === undefined ? [] : [[file.content, content] as const];
    });
    const isSame = payloads.every(([hash, payload]) => sha256(payload) === hash);
    return isSame ? { rest, contents: new Map(payloads) } : null;
  } catch (error) {
    if (!(error instanceof PalimpsestError)) throw error;
    return null;
  }
}

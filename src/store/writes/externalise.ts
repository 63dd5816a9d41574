/** Takes payloads out of stored messages, and puts them back. The original of a message stays the same. */
import type { Scope } from "../../types.ts";
import { encodeContent } from "../content-encoding.ts";
import type { ExternaliseWrite, InternaliseWrite } from "../file-store.ts";
import type { HeldConversation, Port } from "../port.ts";
import { requireConversation } from "../tables/conversations.ts";
import { dropFiles } from "../tables/large-files.ts";
import {
  type KeptContent,
  type MessageTokens,
  recountTokens,
  seqsApart,
  seqsWhole,
  setTokens,
  updateContent,
} from "../tables/messages.ts";
import { keepApart } from "./keep-apart.ts";

/** Messages that were erased, or whose payloads are already separate, are not changed. One at a time: each may be large. */
export async function externalise(port: Port, scope: Scope, write: ExternaliseWrite): Promise<number> {
  const { held } = await requireConversation(port, scope, write.id);
  const wanted = write.messages.filter(({ files }) => files.length > 0);
  const whole = await seqsWhole(
    held,
    wanted.map(({ seq }) => seq),
  );
  let changed = 0;
  for (const { seq, files, ...tokens } of wanted) {
    if (!whole.delete(seq)) continue;
    const content = await port.contents.original(held, write.id, seq);
    const dated = files.map((file) => ({ ...file, createdAt: write.at }));
    const [kept] = await keepApart(held, [{ seq, content, files: dated }]);
    if (kept !== undefined) keep(held, seq, kept, tokens);
    changed++;
  }
  recountTokens(held);
  return changed;
}

export async function internalise(port: Port, scope: Scope, write: InternaliseWrite): Promise<number> {
  const { held } = await requireConversation(port, scope, write.id);
  const apart = await seqsApart(
    held,
    write.messages.map(({ seq }) => seq),
  );
  const changed = [...apart];
  for (const { seq, tokenCount } of write.messages) {
    if (!apart.delete(seq)) continue;
    const content = (await port.contents.original(held, write.id, seq)) ?? "";
    const kept = { ...encodeContent(content), size: Buffer.byteLength(content), largeContent: null };
    keep(held, seq, kept, { tokenCount, stubTokenCount: null });
  }
  await dropFiles(held, changed);
  recountTokens(held);
  return changed.length;
}

function keep(held: HeldConversation, seq: number, kept: KeptContent, tokens: MessageTokens): void {
  updateContent(held, seq, kept);
  setTokens(held, seq, tokens);
}

/** Whether a message that the index did not find passes a filter. */
import type { StoredDocument } from "../../../store/search-store.ts";
import type { ScopedStore } from "../../../store/store.ts";
import type { DocumentFilter } from "../filter.ts";
import { toolsOfMessage } from "../tool-names.ts";

type MessageDocument = Extract<StoredDocument, { readonly message: unknown }>;

export async function passes(
  store: ScopedStore,
  { ref, message }: MessageDocument,
  { conversations, kinds, speakers, tool, since, before }: DocumentFilter,
): Promise<boolean> {
  const time = Date.parse(message.createdAt);
  return (
    conversations?.has(ref.conversation) !== false &&
    kinds?.has("message") !== false &&
    speakers?.has(message.role) !== false &&
    time >= since &&
    time < before &&
    (tool === null || (await toolsOfMessage(store, ref.conversation, message)).includes(tool))
  );
}

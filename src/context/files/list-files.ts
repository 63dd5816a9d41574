import type { FileKind, StoredFile } from "../../store/file-store.ts";
import type { ScopedStore } from "../../store/store.ts";
import type { ConversationRef } from "../../types.ts";
import { conversationBy } from "../read/read-messages.ts";

export interface ListFilesInput {
  /** Only files of this conversation. Default: all of this tenant and agent. */
  readonly conversation?: ConversationRef;
  /** `file`: attached to a message. `tool-output`: a long result of a tool. Default: both. */
  readonly kind?: FileKind;
  /** `next` of the page before. */
  readonly from?: number;
  /** Most files in the answer. Default 1,000. */
  readonly limit?: number;
}

export interface FileList {
  readonly files: readonly StoredFile[];
  /** Null on the last page. */
  readonly next: number | null;
}

/** Those stored last first. */
export async function listFiles(
  store: ScopedStore,
  { conversation: reference, ...query }: ListFilesInput,
): Promise<FileList> {
  const conversation =
    reference === undefined ? {} : { conversation: (await conversationBy(store, reference)).id };
  const { rows, next } = await store.files({ ...query, ...conversation });
  return { files: rows, next };
}

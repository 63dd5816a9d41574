import type { z } from "zod";
import type { StoredFile } from "../../store/file-store.ts";
import type { ScopedStore } from "../../store/store.ts";
import type { listFilesInput } from "../inputs.ts";
import { conversationBy } from "../read/read-messages.ts";

export type ListFilesInput = z.input<typeof listFilesInput>;

export interface FileList {
  readonly files: readonly StoredFile[];
  /** Null on the last page. */
  readonly next: number | null;
}

/** The most recently stored files come first. */
export async function listFiles(
  store: ScopedStore,
  { conversation: reference, ...query }: ListFilesInput,
): Promise<FileList> {
  const conversation =
    reference === undefined ? {} : { conversation: (await conversationBy(store, reference)).id };
  const { rows, next } = await store.files({ ...query, ...conversation });
  return { files: rows, next };
}

/** A file: what it is, where it came from, what is in it, and, when it is asked for, part of its content. */
import type { z } from "zod";
import type { StoredFile } from "../../store/file-store.ts";
import type { ScopedStore } from "../../store/store.ts";
import { messageId } from "../../text/identifiers.ts";
import type { describeInput } from "../inputs.ts";
import { type FileSlice, readFile } from "./read-file.ts";
import { requireFile } from "./require-file.ts";

export type DescribeFileInput = Omit<z.input<typeof describeInput>, "tokenCap">;

export interface FileDescription {
  readonly type: "file";
  readonly file: StoredFile;
  /** The message that it came in. */
  readonly message: string;
  /** Null when it was not asked for. */
  readonly content: FileSlice | null;
}

export async function describeFile(store: ScopedStore, input: DescribeFileInput): Promise<FileDescription> {
  const file = await requireFile(store, input.id);
  const { expandFile, ...range } = input;
  const asksForRange = [range.startLine, range.endLine, range.startByte, range.endByte].some(
    (border) => border !== undefined,
  );
  return {
    type: "file",
    file,
    message: messageId(file.conversation, file.seq),
    content: (expandFile ?? asksForRange) ? await readFile(store, { ...range, id: file.id }) : null,
  };
}

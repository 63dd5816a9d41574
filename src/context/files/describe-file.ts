/** A file: what it is, where it came from, what is in it, and, when it is asked for, part of its content. */
import type { StoredFile } from "../../store/file-store.ts";
import type { ScopedStore } from "../../store/store.ts";
import { messageId } from "../../text/identifiers.ts";
import { type FileSlice, type ReadFileInput, readFile } from "./read-file.ts";
import { requireFile } from "./require-file.ts";

export interface DescribeFileInput extends ReadFileInput {
  /** Give its content too. Default: when a range is asked for. */
  readonly expandFile?: boolean;
}

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

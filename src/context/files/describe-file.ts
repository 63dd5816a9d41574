/** Describes a file: its kind, origin and outline, and part of its content if requested. */
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
  /** The message that contained it. */
  readonly message: string;
  /** Null if it was not requested. */
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

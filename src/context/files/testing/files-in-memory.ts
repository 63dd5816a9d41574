/** Files as a store returns them, for tests of reading. */
import { FRAME_BYTES, type StoredFile } from "../../../store/file-store.ts";
import { sha256 } from "../../../text/bytes.ts";
import type { ReadableFiles } from "../read-file.ts";

export const FILE_ID = "file_0123456789abcdef";

/** A store with one file. */
export function fileInMemory(content: string | Uint8Array): ReadableFiles {
  const bytes = Buffer.from(content);
  const feeds: number[] = [];
  for (let start = 0; start < bytes.length; start += FRAME_BYTES)
    feeds.push(countFeeds(bytes.subarray(start, start + FRAME_BYTES)));
  const file = storedFile(bytes);
  return {
    file: async (id) => (id === FILE_ID ? file : undefined),
    files: async () => ({ rows: [file], next: null }),
    fileLines: async () => Uint32Array.from(feeds),
    fileBytes: async (_, start, end) => bytes.subarray(start, end),
  };
}

function countFeeds(bytes: Uint8Array): number {
  return bytes.reduce((sum, byte) => sum + (byte === 10 ? 1 : 0), 0);
}

function storedFile(bytes: Buffer): StoredFile {
  const endsLine = bytes.length === 0 || bytes.at(-1) === 10;
  return {
    id: FILE_ID,
    kind: "file",
    name: null,
    mime: null,
    tool: null,
    description: "",
    origin: "ingest",
    writing: "json",
    places: [],
    conversation: "conv_0123456789abcdef",
    seq: 1,
    ordinal: 0,
    content: sha256(bytes),
    bytes: bytes.length,
    lines: countFeeds(bytes) + (endsLine ? 0 : 1),
    createdAt: "2026-03-01T10:00:00.000Z",
    described: null,
  };
}

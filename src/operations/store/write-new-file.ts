/** Writes a new file completely or not at all, and never overwrites one. Only its owner may read it. */

import { type FileHandle, open, rm } from "node:fs/promises";
import path from "node:path";
import { cannotBeCreated, cannotBeWritten, fileErrorCode, nameInUse } from "../../text/file-problem.ts";

export async function writeNewFile(
  output: string,
  pieces: AsyncIterable<Uint8Array>,
): Promise<{ file: string; bytes: number }> {
  const file = path.resolve(output);
  const target = await openNew(file);
  let bytes = 0;
  try {
    for await (const piece of pieces) {
      await target.writeFile(piece).catch((error: unknown) => {
        throw cannotBeWritten(file, error);
      });
      bytes += piece.byteLength;
    }
    await target.close();
  } catch (error) {
    await target.close().catch(() => {});
    // A partial file must not be mistaken for a complete one.
    await rm(file, { force: true });
    throw error;
  }
  return { file, bytes };
}

async function openNew(file: string): Promise<FileHandle> {
  try {
    return await open(file, "wx", 0o600);
  } catch (error) {
    if (fileErrorCode(error) === "EEXIST") throw nameInUse(file);
    throw cannotBeCreated(file, error);
  }
}

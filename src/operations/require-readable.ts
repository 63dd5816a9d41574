/** A file that an operation is to read: there, a file, and open to this user. Gives its size. */
import { open } from "node:fs/promises";
import { PalimpsestError } from "../errors.ts";
import { fileProblem } from "../text/file-problem.ts";

export async function requireReadable(file: string): Promise<number> {
  try {
    const handle = await open(file);
    try {
      const found = await handle.stat();
      if (found.isFile()) return found.size;
    } finally {
      await handle.close();
    }
  } catch (error) {
    throw unreadable(file, fileProblem(error));
  }
  throw unreadable(file, "it is not a file");
}

function unreadable(file: string, problem: string): PalimpsestError {
  return new PalimpsestError("invalid-input", `${file} cannot be read: ${problem}`, {
    advice: "Name a file that is there and may be read.",
  });
}

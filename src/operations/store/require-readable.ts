/** Requires that a path is an existing, readable file. Returns its size. */
import type { Stats } from "node:fs";
import { open, stat } from "node:fs/promises";
import { isPalimpsestError, PalimpsestError } from "../../errors.ts";
import { fileProblem } from "../../text/file-problem.ts";

export async function requireReadable(file: string): Promise<number> {
  try {
    // Checked before it is opened, since opening a pipe would wait for a writer.
    const found = await stat(file);
    if (!found.isFile()) throw notAFile(file, found);
    const handle = await open(file);
    await handle.close();
    return found.size;
  } catch (error) {
    throw isPalimpsestError(error) ? error : unreadable(file, fileProblem(error));
  }
}

/** A pipe cannot be read twice; standard input is copied to a temporary file. */
function notAFile(file: string, found: Stats): PalimpsestError {
  if (found.isFIFO() || found.isSocket() || found.isCharacterDevice())
    return unreadable(
      file,
      "it is a pipe or device, not a file",
      "Write its content to a file first; lcm files add takes standard input as -.",
    );
  return unreadable(file, "it is not a file");
}

function unreadable(
  file: string,
  problem: string,
  advice = "Use a file that exists and is readable.",
): PalimpsestError {
  return new PalimpsestError("invalid-input", `${file} cannot be read: ${problem}`, { advice });
}

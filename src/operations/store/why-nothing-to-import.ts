/** Checks files before a store is created for them: an import that accepts none of them leaves nothing behind. */
import path from "node:path";
import { readOpening } from "../../context/ingest/transcripts/read-opening.ts";
import { isPalimpsestError, PalimpsestError } from "../../errors.ts";
import { recogniseFormat } from "../../message/hosts/recognise.ts";
import { isArchive } from "../../store/archive.ts";
import { counted } from "../../text/counted.ts";
import type { FoundFiles } from "./find-transcripts.ts";

const MOST_NAMED = 5;

/** Null as soon as one of them can be imported. */
export async function whyNothingToImport({ folder, files }: FoundFiles): Promise<PalimpsestError | null> {
  const refusals: PalimpsestError[] = [];
  for (const file of files) {
    const refusal = await refusalOf(file);
    if (refusal === null) return null;
    refusals.push(refusal);
  }
  const [first] = refusals;
  return folder === null && first !== undefined ? first : ofAll(folder ?? "", refusals);
}

async function refusalOf(file: string): Promise<PalimpsestError | null> {
  try {
    if (await isArchive(file)) return null;
    const { lines, start } = await readOpening(file);
    recogniseFormat(lines, file, start);
    return null;
  } catch (error) {
    if (!isPalimpsestError(error)) throw error;
    return error;
  }
}

function ofAll(folder: string, refusals: readonly PalimpsestError[]): PalimpsestError {
  const named = refusals.slice(0, MOST_NAMED).map(({ message }) => message.replaceAll(folder + path.sep, ""));
  const rest = refusals.length - named.length;
  const none = refusals.length === 1 ? "the only file" : `none of the ${counted(refusals.length, "file")}`;
  return new PalimpsestError(
    "not-supported",
    `${none} in ${folder} can${refusals.length === 1 ? "not" : ""} be imported`,
    { advice: [...named, ...(rest > 0 ? [`and ${counted(rest, "more", "more")}`] : [])].join("\n") },
  );
}

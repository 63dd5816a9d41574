/** Transcripts of the same project that were written to lately: their hosts may have been killed before they could tell. */
import { readdir, stat } from "node:fs/promises";
import path from "node:path";
import type { Captures } from "./captures.ts";

const LATELY_MS = 7 * 24 * 3_600_000;
const MOST_FILES = 50;

/** One after the other, because nobody waits for it. Never throws. */
export async function captureBeside(transcript: string, captures: Captures): Promise<void> {
  const folder = path.dirname(transcript);
  const names = await readdir(folder).catch(() => []);
  const files = names.filter((name) => name.endsWith(".jsonl")).map((name) => path.join(folder, name));
  const dated = await Promise.all(files.map(async (file) => ({ file, at: await changedAt(file) })));
  const lately = dated
    .filter(({ file, at }) => file !== transcript && Date.now() - at < LATELY_MS)
    .toSorted((a, b) => b.at - a.at)
    .slice(0, MOST_FILES);
  // Should the process end first, it takes in all that is named here.
  for (const { file } of lately) captures.files.add(file);
  for (const { file } of lately) await captures.capture(file);
}

async function changedAt(file: string): Promise<number> {
  return stat(file).then(
    ({ mtimeMs }) => mtimeMs,
    () => 0,
  );
}

/** Imports recent transcripts of the same project, since their hosts may have been killed before calling a hook. */
import { readdir, stat } from "node:fs/promises";
import path from "node:path";
import type { Captures } from "./captures.ts";

const LATELY_MS = 7 * 24 * 3_600_000;
const MOST_FILES = 50;

/** One after the other, in the background. Never throws. */
export async function captureBeside(transcript: string, captures: Captures): Promise<void> {
  const files = await transcriptsIn(path.dirname(transcript));
  const dated = await Promise.all(files.map(async (file) => ({ file, at: await changedAt(file) })));
  const lately = dated
    .filter(({ file, at }) => file !== transcript && Date.now() - at < LATELY_MS)
    .toSorted((a, b) => b.at - a.at)
    .slice(0, MOST_FILES);
  // If the process ends first, it imports all files listed here.
  for (const { file } of lately) captures.files.add(file);
  for (const { file } of lately) {
    await captures.capture(file);
    await captureAgents(file, captures);
  }
}

/** Transcripts of the session's sub-agents: one may end after the server for its hook. Never throws. */
export async function captureAgents(transcript: string, captures: Captures): Promise<void> {
  const folder = path.join(transcript.replace(/\.jsonl$/, ""), "subagents");
  for (const file of await transcriptsIn(folder)) await captures.capture(file);
}

async function transcriptsIn(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch(() => []);
  return names.filter((name) => name.endsWith(".jsonl")).map((name) => path.join(folder, name));
}

async function changedAt(file: string): Promise<number> {
  return stat(file).then(
    ({ mtimeMs }) => mtimeMs,
    () => 0,
  );
}

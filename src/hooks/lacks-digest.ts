/**
 * Whether a host has compacted the session of this transcript, and no digest came after that: it was compacted before
 * this package was installed, or while it was not running. Without a compaction the host still shows everything.
 */
import { existsSync } from "node:fs";
import { readLines } from "../context/ingest/transcripts/read-lines.ts";
import { DIGEST_ABOUT } from "./digest.ts";

/** How Claude Code, Codex and Copilot CLI mark a compaction. */
const COMPACTION =
  /"subtype":"compact_boundary"|^\{[^{]*"type":"compacted"|^\{"type":"session\.compaction_complete"/;
const DIGEST = `<palimpsest about=\\"${DIGEST_ABOUT}\\"`;

export async function lacksDigest(transcript: string): Promise<boolean> {
  if (!existsSync(transcript)) return false;
  let lacks = false;
  for await (const { bytes } of readLines(transcript)) {
    const line = Buffer.from(bytes).toString("latin1");
    if (COMPACTION.test(line)) lacks = true;
    else if (lacks && line.includes(DIGEST)) lacks = false;
  }
  return lacks;
}

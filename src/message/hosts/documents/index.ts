/** The formats of whole sessions, in the order in which they are tried. */
import { decodeLeniently } from "../../../text/utf8.ts";
import { chatgpt } from "./chatgpt.ts";
import { claudeAi } from "./claude-ai.ts";
import type { DocumentFormat } from "./document-format.ts";
import { geminiCli } from "./gemini-cli.ts";
import { losslessClaw } from "./lossless-claw.ts";
import { opencode } from "./opencode.ts";
import { openhands } from "./openhands.ts";
import { sweAgent } from "./swe-agent.ts";

export const DOCUMENT_READERS: readonly DocumentFormat[] = [
  opencode,
  losslessClaw,
  geminiCli,
  openhands,
  sweAgent,
  chatgpt,
  claudeAi,
];

const SQLITE = Buffer.from("SQLite format 3\0");

/** Whether these are the first bytes of an SQLite database. Only its tables show which program owns it. */
export function isDatabase(start: Uint8Array): boolean {
  return SQLITE.every((byte, index) => start[index] === byte);
}

/** `lines` are the first objects of the file and `start` its first bytes. For a database it only detects that it is one. */
export function documentFormat(lines: readonly unknown[], start: Uint8Array): DocumentFormat | undefined {
  if (isDatabase(start)) return opencode;
  const text = decodeLeniently(start);
  return DOCUMENT_READERS.find((format) => format.recognises(lines, text));
}

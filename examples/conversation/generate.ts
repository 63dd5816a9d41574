/**
 * Writes `observatory.jsonl`, the conversation that ships with the project: hand-written scenes from `dialogue/`,
 * with logs, tables and a large CSV computed in `material/`. The same bytes on every run and every machine.
 *
 *     node examples/conversation/generate.ts
 */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { image, material } from "./material/index.ts";
import { seededRandom } from "./material/random.ts";
import type { ConversationMessage } from "./script/blocks.ts";
import { dateMessages } from "./script/date-messages.ts";
import { parseScene } from "./script/parse-scene.ts";

export const CONVERSATION_FILE = fileURLToPath(new URL("observatory.jsonl", import.meta.url));

export const HEADER = {
  type: "palimpsest",
  version: 1,
  session: "demo-observatory",
  title: "The late eclipses of Skarn Hill",
} as const;

export function conversationMessages(): ConversationMessage[] {
  const callIds = seededRandom(19);
  const nextCallId = (): string => `toolu_${randomLetters(callIds.between, 14)}`;
  const folder = new URL("dialogue/", import.meta.url);
  const drafts = readdirSync(folder)
    .filter((name) => name.endsWith(".txt"))
    .sort()
    .flatMap((name) =>
      parseScene(readFileSync(new URL(name, folder), "utf8"), { material, image, nextCallId }),
    );
  return dateMessages(drafts, seededRandom(2026));
}

export function renderConversation(): string {
  const lines = [HEADER, ...conversationMessages()].map((line) => JSON.stringify(line));
  return `${lines.join("\n")}\n`;
}

function randomLetters(between: (low: number, high: number) => number, length: number): string {
  const alphabet = "ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789";
  return Array.from({ length }, () => alphabet[between(0, alphabet.length - 1)]).join("");
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeFileSync(CONVERSATION_FILE, renderConversation());
  console.log(`${CONVERSATION_FILE} written`);
}

/** A transcript in the neutral format as a host would live it: a user message and everything up to the next. */
import { readFileSync } from "node:fs";
import type { HostMessage } from "../src/index.ts";

export interface DemoTurn {
  readonly key: string;
  readonly messages: readonly HostMessage[];
}

export function readTurns(file: string): DemoTurn[] {
  const turns: { key: string; messages: HostMessage[] }[] = [];
  for (const line of readFileSync(file, "utf8").split("\n").slice(1)) {
    if (line === "") continue;
    const message = JSON.parse(line) as HostMessage & { readonly role: string };
    const startsTurn = message.role === "user" && turns.at(-1)?.messages.some(isSpoken) === true;
    if (turns.length === 0 || startsTurn) turns.push({ key: `turn ${turns.length + 1}`, messages: [] });
    turns.at(-1)?.messages.push(message);
  }
  return turns;
}

/** The system message belongs to the first turn. */
function isSpoken(message: HostMessage): boolean {
  return (message as { readonly role?: string }).role !== "system";
}

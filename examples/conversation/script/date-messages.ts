/** Gives drafts their ids and times: people think before they write, and the agent types faster than they do. */
import type { Random } from "../material/random.ts";
import { type ConversationMessage, type Draft, wordsOf } from "./blocks.ts";

export function dateMessages(drafts: readonly Draft[], random: Random): ConversationMessage[] {
  let clock = 0;
  let previousLength = 0;
  return drafts.map((draft, i) => {
    const next = draft.at ? Date.parse(draft.at) : clock + pause(draft, previousLength, random);
    if (!(next >= clock))
      throw new Error(`time goes backwards at message ${i + 1} (${draft.at ?? "no time"})`);
    clock = next;
    previousLength = wordsOf(draft.content).length;
    const id = `m${String(i + 1).padStart(4, "0")}`;
    return { id, role: draft.role, createdAt: new Date(clock).toISOString(), content: draft.content };
  });
}

/** Milliseconds before a message. Nobody reads a long listing to its end. */
function pause(draft: Draft, previousLength: number, random: Random): number {
  const silence = (draft.wait ?? 0) * 60_000;
  switch (draft.role) {
    case "user":
      return silence + random.between(40_000, 280_000) + Math.min(previousLength, 4000) * 28;
    case "tool":
      return silence + random.between(180, 4200);
    default:
      return silence + random.between(2100, 6800) + Math.min(wordsOf(draft.content).length, 6000) * 6;
  }
}

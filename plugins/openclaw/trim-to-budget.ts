/** The host's own messages, as a fallback: the newest that fit, beginning with a turn. */
import { estimateTokens } from "../../src/text/estimate-tokens.ts";
import type { HostMessage } from "./types.ts";

export function trimToBudget(messages: readonly HostMessage[], budget: number): readonly HostMessage[] {
  let left = budget;
  let start = messages.length;
  for (let i = messages.length - 1; i >= 0 && left > 0; i--) {
    const message = messages[i];
    left -= estimateTokens(JSON.stringify(message));
    if (left >= 0 && message?.role === "user") start = i;
  }
  return start === 0 ? messages : messages.slice(start);
}

/** An answer of at most so many tokens. Where it is cut, its last line says so. */
import { count } from "../../text/counted.ts";
import { cutToTokens } from "../../text/cut-to-tokens.ts";
import { estimateTokens } from "../../text/estimate-tokens.ts";

export function capAnswer(text: string, tokenCap: number | undefined): string {
  if (tokenCap === undefined) return text;
  const tokens = estimateTokens(text);
  if (tokens <= tokenCap) return text;
  const note = `\n(cut to ${count(tokenCap)} of ${count(tokens)} tokens)`;
  const room = Math.max(0, tokenCap - estimateTokens(note) - 1);
  return cutToTokens(`${cutToTokens(text, room, estimateTokens)}${note}`, tokenCap, estimateTokens);
}

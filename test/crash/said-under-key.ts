/**
 * What a turn of the crash tests says, derived from its key alone: the process that is killed and the one that
 * looks afterwards agree on every byte without telling each other.
 */
import { type SeededRandom, seededRandom } from "./seeded-random.ts";

/** One to five messages: short and long, odd characters, tool calls and results, raw bytes. */
export function saidUnderKey(key: string): object[] {
  const random = seededRandom(key);
  const messages: object[] = [{ role: "user", content: someText(random) }];
  for (let more = random.below(5); more > 0; more--) messages.push(someMessage(random));
  return messages;
}

function someMessage(random: SeededRandom): object {
  const callId = `call-${random.below(1000)}`;
  switch (random.below(5)) {
    case 0:
      return {
        role: "assistant",
        content: null,
        tool_calls: [
          { id: callId, type: "function", function: { name: "shell", arguments: someText(random) } },
        ],
      };
    case 1:
      return {
        role: "tool",
        tool_call_id: callId,
        content: longText(random, random.pick([6_000, 20_000, 150_000])),
      };
    case 2:
      return { role: "user", content: [{ type: "file", mediaType: "image/png", data: someBytes(random) }] };
    case 3:
      return { role: "assistant", content: [{ type: "text", text: longText(random, 3_000) }] };
    default:
      return { role: "assistant", content: someText(random) };
  }
}

/** Several of these are equal in many turns: the same words said twice are two messages. */
const ODD_TEXTS = [
  "ok",
  "ok",
  "\0 NUL",
  "lone \ud800 surrogate",
  "\ufeffBOM\r\nCRLF",
  "日本語 😀",
  "$palimpsest",
];

function someText(random: SeededRandom): string {
  return random.chance(0.5) ? random.pick(ODD_TEXTS) : longText(random, 300);
}

const WORDS = "the store keeps every word that was said exactly as it came 全て é ".split(" ");

function longText(random: SeededRandom, atMost: number): string {
  let text = "";
  for (const length = random.below(atMost); text.length < length; )
    text += `${random.pick(WORDS)} ${random.below(10_000)} `;
  return text;
}

function someBytes(random: SeededRandom): Uint8Array {
  return Uint8Array.from({ length: random.below(3_000) }, () => random.below(256));
}

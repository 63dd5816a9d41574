/**
 * A chat with the AI SDK that outgrows the model's window. The loop is the one that any chat has; `lossless()` keeps every
 * message, and sends what fits. The model is scripted; replace `model` with one of a provider to talk to a real one.
 *
 *   node examples/ai-sdk-chat.ts
 */
import { rmSync } from "node:fs";
import { generateText, type ModelMessage, wrapLanguageModel } from "ai";
import { lossless } from "../src/ai-sdk/index.ts";
import { estimateTokens } from "../src/index.ts";
import { scriptedLanguageModel, scriptedSummary } from "./scripted-language-model.ts";

const STORE = ".palimpsest/ai-sdk-chat";
const WINDOW = 8_000;
const TURNS = 40;

const model = scriptedLanguageModel(
  ({ text }) => scriptedSummary(text) ?? `I noted it: ${text.slice(0, text.indexOf(".") + 1)}`,
);

rmSync(STORE, { recursive: true, force: true });
const middleware = lossless({ store: STORE, conversation: "voyage", window: WINDOW, recall: false });
const lasting = wrapLanguageModel({ model, middleware });

const messages: ModelMessage[] = [];
let largest = 0;
for (let day = 1; day <= TURNS; day++) {
  messages.push({ role: "user", content: logOf(day) });
  const { text, responseMessages } = await generateText({
    model: lasting,
    system: "You keep the log of a ship.",
    messages,
    maxOutputTokens: 500,
  });
  messages.push(...responseMessages);
  const sent = tokensSent();
  largest = Math.max(largest, sent);
  if (day % 10 === 0) console.log(`day ${day}: said ${tokensOf(messages)} tokens, sent ${sent}; “${text}”`);
}
await middleware.close();
console.log(`the largest request had ${largest} of ${WINDOW} tokens`);
console.log(`look at it: npx lcm --data ${STORE} tree voyage`);

function logOf(day: number): string {
  const log = `Day ${day}: the barometer reads ${990 + ((day * 7) % 40)} millibar.`;
  return `${log} ${"The sea is calm and the crew mends the sails. ".repeat(20)}`;
}

function tokensOf(value: unknown): number {
  return estimateTokens(JSON.stringify(value));
}

/** The last request of the chat; the others are for summaries. */
function tokensSent(): number {
  const chat = model.doGenerateCalls.findLast(
    ({ prompt }) => prompt[0]?.content === "You keep the log of a ship.",
  );
  return tokensOf(chat?.prompt ?? []);
}

/**
 * An agent with the AI SDK: a loop of tools, one of them of the application, the others Palimpsest's own. What it read on the
 * first day is no longer in view when it is asked for; the agent searches for it. The model is scripted; replace `model`
 * with one of a provider to let a real one decide.
 *
 *   node examples/ai-sdk-agent.ts
 */
import { rmSync } from "node:fs";
import { generateText, isStepCount, type ModelMessage, tool, wrapLanguageModel } from "ai";
import { z } from "zod";
import { lossless, palimpsestTools } from "../src/ai-sdk/index.ts";
import { shareEngine } from "../src/host/index.ts";
import {
  type Answer,
  type Asked,
  scriptedLanguageModel,
  scriptedSummary,
} from "./scripted-language-model.ts";

const STORE = ".palimpsest/ai-sdk-agent";
const QUESTION = "What did gauge 3 read on the first day?";
const READING = /Gauge 3 reads \d+ hectopascal on day 1\./;

const readGauge = tool({
  description: "Reads a gauge of the station.",
  inputSchema: z.object({ gauge: z.number(), day: z.number() }),
  execute: async ({ gauge, day }) =>
    `Gauge ${gauge} reads ${1_000 + gauge * 17 - day} hectopascal on day ${day}. ${"No alarm. ".repeat(60)}`,
});

/** Reads the gauge that it is told to read, and searches when it is asked a question. */
function decide({ text, tool }: Asked): Answer {
  if (tool === "readGauge") return "Noted.";
  if (tool !== null) return READING.exec(text)?.[0] ?? "I found nothing.";
  if (text === QUESTION) return { tool: "lcm_grep", input: { pattern: '"gauge 3 reads" "on day 1"' } };
  const [, gauge, day] = /^Read gauge (\d+) on day (\d+)\.$/.exec(text) ?? [];
  if (gauge !== undefined) return { tool: "readGauge", input: { gauge: Number(gauge), day: Number(day) } };
  return scriptedSummary(text) ?? "I do not know.";
}

rmSync(STORE, { recursive: true, force: true });
const model = scriptedLanguageModel(decide);
const middleware = lossless({ store: STORE, conversation: "station", window: 8_000, recall: false });
const lasting = wrapLanguageModel({ model, middleware });
// The middleware's own engine: it is closed when both have let go of it.
const lease = await shareEngine({ store: STORE });
const tools = {
  readGauge,
  ...palimpsestTools(lease.engine, { only: ["lcm_grep", "lcm_expand", "lcm_read"] }),
};

const messages: ModelMessage[] = [];
async function ask(content: string): Promise<string> {
  messages.push({ role: "user", content });
  const result = await generateText({
    model: lasting,
    messages,
    tools,
    stopWhen: isStepCount(5),
    maxOutputTokens: 500,
  });
  messages.push(...result.responseMessages);
  return result.text;
}

for (let day = 1; day <= 12; day++)
  for (let gauge = 1; gauge <= 4; gauge++) await ask(`Read gauge ${gauge} on day ${day}.`);

const answer = await ask(QUESTION);
// The model also writes summaries in the background, so the call is found by what it ends with.
const shown = model.doGenerateCalls.find(({ prompt }) =>
  JSON.stringify(prompt.at(-1)).includes(QUESTION),
)?.prompt;
const isInView = READING.test(JSON.stringify(shown));
console.log(`${messages.length} messages; the reading was ${isInView ? "still" : "no longer"} in view`);
console.log(`asked: ${QUESTION}`);
console.log(`answered: ${answer}`);

await middleware.close();
await lease.release();

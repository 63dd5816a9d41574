import { z } from "zod";
import { configuredModel } from "../engine.ts";
import { PalimpsestError } from "../errors.ts";
import { counted, seconds } from "../text/counted.ts";
import { oneLine } from "../text/escape-controls.ts";
import { defineOperation } from "./operation.ts";
import type { Setup } from "./setup.ts";

type Output = z.infer<typeof outputSchema>;
const outputSchema = z.strictObject({
  model: z.string().describe("The model that answered, as provider/model."),
  answer: z.string().describe("Its answer."),
  milliseconds: z.int().describe("Duration of the call."),
  inputTokens: z
    .int()
    .nullable()
    .describe("Tokens of the request; null when the provider does not report them."),
  outputTokens: z
    .int()
    .nullable()
    .describe("Tokens of the answer; null when the provider does not report them."),
  cost: z.number().nullable().describe("US dollars; null when the provider does not report it."),
});

const REQUEST = {
  purpose: "summary",
  system: "You are being tested. Answer with the single word OK.",
  prompt: "Answer with OK.",
  maxTokens: 256,
} as const;

export const testModel = defineOperation({
  name: "model-test",
  summary:
    "Send one short request to the configured model; print its answer, the time, the tokens and the cost.",
  input: z.strictObject({
    model: z
      .string()
      .min(1)
      .exactOptional()
      .describe("Another model to call, as provider/model. Default: the setting summaryModel."),
  }),
  output: outputSchema,
  command: {
    examples: [
      ["lcm model test", "test summaryModel"],
      ["lcm model test --model openai/gpt-5-mini", "another model, with the configured keys"],
    ],
    working: "calling the model",
    text: render,
  },
  runsOn: "setup",
  run: async (setup: Setup, input, { signal }) => {
    const { config } = setup.loadUsable();
    const complete = configuredModel({ ...config, summaryModel: input.model ?? config.summaryModel });
    if (complete === null)
      throw new PalimpsestError("config-invalid", "no model is configured", {
        advice: "Set one with: lcm config set summaryModel <provider/model>",
      });
    const start = performance.now();
    const { text, model, usage } = await complete({ ...REQUEST, signal });
    if (text.trim() === "")
      throw new PalimpsestError("model-unavailable", `${model} returned an empty answer`, {
        advice:
          "Summaries need text. A reasoning model may use all its tokens for reasoning: choose another model, and see docs/guide/models.md.",
      });
    return { model, answer: text, milliseconds: Math.round(performance.now() - start), ...usage };
  },
});

function render({ model, answer, milliseconds, inputTokens, outputTokens, cost }: Output): string {
  const tokens = (amount: number | null) => (amount === null ? "unknown" : counted(amount, "token"));
  return [
    `${model} answered "${oneLine(answer)}" in ${seconds(milliseconds)}.`,
    `Input: ${tokens(inputTokens)}. Output: ${tokens(outputTokens)}. Cost: ${cost === null ? "not reported by the provider" : `$${cost}`}.`,
  ].join("\n");
}

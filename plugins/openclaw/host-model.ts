/** Writes summaries with the host's own model and credentials. */
import type { Complete } from "../../src/model/complete.ts";
import type { HostLlm } from "./types.ts";

export function completeWith(llm: HostLlm): Complete {
  return async ({ purpose, system, prompt, maxTokens, temperature, signal }) => {
    const { text, provider, model, stopReason, usage } = await llm.complete({
      messages: [{ role: "user", content: prompt }],
      systemPrompt: system,
      maxTokens,
      purpose: `palimpsest-${purpose}`,
      ...(temperature === undefined ? {} : { temperature }),
      ...(signal === undefined ? {} : { signal }),
    });
    return {
      text,
      model: `${provider}/${model}`,
      finish: stopReason === "length" ? "length" : "stop",
      usage: {
        inputTokens: usage?.inputTokens ?? null,
        outputTokens: usage?.outputTokens ?? null,
        cost: null,
      },
    };
  };
}

import { describe, expect, it } from "vitest";
import { accessTo } from "./model-access.ts";
import { parseProviderModel } from "./provider-model.ts";

describe("model names", () => {
  it.each([
    ["anthropic/claude-haiku-4-5", "anthropic", "claude-haiku-4-5"],
    ["openai/gpt-5-mini", "openai", "gpt-5-mini"],
    ["google/gemini-2.5-flash", "google", "gemini-2.5-flash"],
    ["openrouter/vendor/model:free", "openrouter", "vendor/model:free"],
    ["ollama/llama3", "ollama", "llama3"],
    ["openai-compatible/org/model", "openai-compatible", "org/model"],
  ])("%s is model of %s", (name, provider, model) => {
    expect(parseProviderModel(name)).toEqual({ name, provider, model });
  });

  it.each([
    ["gpt-5-mini", /write provider\/model, such as openai\/gpt-5-mini/],
    ["claude-haiku-4-5", /such as anthropic\/claude-haiku-4-5/],
    ["gemini-2.5-flash", /such as google\/gemini-2.5-flash/],
    ["mystery", /such as ollama\/llama3/],
    ["gemini/gemini-2.5-flash", /write google\/gemini-2.5-flash/],
    ["LMStudio/qwen", /write openai-compatible\/qwen/],
    ["azure/gpt-5", /unknown provider "azure"; use anthropic, openai, google.*openai-compatible\/gpt-5/],
    ["constructor/x", /unknown provider "constructor"/],
    ["anthropic/", /has no model name/],
    ["anthropic/two words", /has no model name/],
    ["/model", /unknown provider ""/],
    ["", /has no provider/],
  ])("refuse %o with advice", (name, message) => {
    expect(() => parseProviderModel(name)).toThrow(message);
    expect(() => parseProviderModel(name)).toThrow(
      expect.objectContaining({ code: "config-invalid", advice: expect.any(String) }),
    );
  });
});

describe("access to a model", () => {
  const settings = {
    summaryModel: "openai/m",
    modelBaseUrl: "http://127.0.0.1:9/v1",
    modelApiKey: "configured",
  };

  it.each([
    ["its provider's variable first", "openai/m", { openai: "variable" }, "variable"],
    ["the configured key without it", "openai/m", { anthropic: "variable" }, "configured"],
    ["no other provider's configured key", "anthropic/m", { openai: "variable" }, null],
    ["each provider's own variable", "anthropic/m", { anthropic: "own" }, "own"],
  ] as const)("uses %s", (_, name, keys, apiKey) => {
    expect(accessTo(name, settings, keys).apiKey).toBe(apiKey);
  });

  it.each([
    ["openai/other", "http://127.0.0.1:9/v1"],
    ["anthropic/m", "https://api.anthropic.com/v1"],
    ["google/m", "https://generativelanguage.googleapis.com/v1beta"],
    ["openrouter/v/m", "https://openrouter.ai/api/v1"],
    ["ollama/m", "http://127.0.0.1:11434/v1"],
  ])("to %s goes to %s when the configured address is OpenAI's", (name, baseUrl) => {
    expect(accessTo(name, settings, {}).baseUrl).toBe(baseUrl);
  });

  it("belongs to expansionModel where it is the only one", () => {
    const alone = { ...settings, summaryModel: null, expansionModel: "openai/m" };
    expect(accessTo("openai/m", alone, {})).toMatchObject({
      baseUrl: settings.modelBaseUrl,
      apiKey: "configured",
    });
    const second = { ...settings, expansionModel: "anthropic/m" };
    expect(accessTo("anthropic/m", second, {})).toMatchObject({ apiKey: null });
  });

  it("needs to know where a model without a home is", () => {
    expect(() => accessTo("openai-compatible/m", settings, {})).toThrow(/modelBaseUrl/);
  });
});

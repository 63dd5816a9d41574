import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { loadConfig } from "./load.ts";
import { readProviderKeys } from "./provider-keys.ts";
import { CONFIG_KEYS, configSchema, SECRET_KEYS } from "./schema.ts";

describe("providers' keys", () => {
  it.each([
    ["ANTHROPIC_API_KEY", "anthropic"],
    ["OPENAI_API_KEY", "openai"],
    ["GOOGLE_GENERATIVE_AI_API_KEY", "google"],
    ["GEMINI_API_KEY", "google"],
    ["OPENROUTER_API_KEY", "openrouter"],
    ["JINA_API_KEY", "jina"],
    ["VOYAGE_API_KEY", "voyage"],
  ])("%s is the key of %s and of nobody else", (variable, provider) => {
    expect(readProviderKeys({ [variable]: " secret\n" })).toEqual({ [provider]: "secret" });
  });

  it("prefer Google's own name, and go on where it is empty", () => {
    const both = { GOOGLE_GENERATIVE_AI_API_KEY: "one", GEMINI_API_KEY: "two" };
    expect(readProviderKeys(both).google).toBe("one");
    expect(readProviderKeys({ ...both, GOOGLE_GENERATIVE_AI_API_KEY: "" }).google).toBe("two");
  });

  it("do not become part of the configuration", () => {
    const environment = { LCM_DATA_DIR: "/nowhere", OPENAI_API_KEY: "sk-hidden-123456" };
    expect(JSON.stringify(loadConfig({ environment }))).not.toContain("sk-hidden");
  });
});

describe("secret settings", () => {
  it("are those whose name says so", () => {
    expect(SECRET_KEYS).toEqual(CONFIG_KEYS.filter((key) => /key$|secret|password|token$/i.test(key)));
  });

  it.each([
    '{"modelApiKey": sk-0123456789}',
    '{"modelApiKey": "sk-0123456789", }',
    '{"modelApiKey": "sk-0123456789"',
    '{"modelApiKey": "sk-0123456789',
    '{"modelApiKey": "sk-\\x0123456789"}',
    '"sk-0123456789" oops',
  ])("are not quoted from a file that is not JSON: %s", (content) => {
    const file = path.join(mkdtempSync(path.join(tmpdir(), "palimpsest-config-")), "config.json");
    writeFileSync(file, content);
    const refused = () => loadConfig({ environment: {}, file });
    expect(refused).toThrow(/cannot be read: .*JSON/);
    expect(refused).not.toThrow(/sk-|0123/);
  });

  it("are not repeated when they are refused", () => {
    const environment = { LCM_DATA_DIR: "/nowhere", LCM_MODEL_API_KEY: "two words" };
    const refused = /^LCM_MODEL_API_KEY must be printable characters without spaces$/;
    expect(() => loadConfig({ environment })).toThrow(refused);
    const options = { modelApiKey: 123_456 as unknown as string };
    expect(() => loadConfig({ environment: {}, options })).toThrow(/^modelApiKey must be text$/);
    expect(configSchema.safeParse({ modelApiKey: "two words" }).error?.message).not.toContain("two words");
  });
});

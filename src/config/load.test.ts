import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { loadConfig } from "./load.ts";
import { CONFIG_KEYS, environmentName } from "./schema.ts";

const folder = mkdtempSync(path.join(tmpdir(), "palimpsest-config-"));

function fileWith(content: string): string {
  const file = path.join(folder, `${Math.random()}.json`);
  writeFileSync(file, content);
  return file;
}

function catchError(run: () => unknown): Error {
  try {
    run();
  } catch (error) {
    if (error instanceof Error) return error;
  }
  throw new Error("nothing was refused");
}

const load = (environment: Record<string, string>, file?: string) =>
  loadConfig({
    environment: { LCM_DATA_DIR: folder, ...environment },
    ...(file === undefined ? {} : { file }),
  });

describe("configuration", () => {
  it("takes environment before file before default", () => {
    const file = fileWith('{"tenant":"file","agent":"file"}');
    const { config, sources } = load({ LCM_TENANT: "env" }, file);
    expect(config).toMatchObject({ tenant: "env", agent: "file", enabled: true });
    expect(sources).toMatchObject({ tenant: "environment", agent: "file", enabled: "default" });
  });

  it("lets options win, and finds config.json in the data folder", () => {
    const dataDir = mkdtempSync(path.join(folder, "data-"));
    writeFileSync(path.join(dataDir, "config.json"), '{"agent":"found","tenant":"found"}');
    const { config, file } = loadConfig({
      environment: { LCM_TENANT: "env" },
      options: { dataDir, tenant: "option" },
    });
    expect(config).toMatchObject({ agent: "found", tenant: "option" });
    expect(file).toBe(path.join(dataDir, "config.json"));
  });

  it("reads booleans, numbers and lists from the environment", () => {
    const { config } = load({
      LCM_MODEL_RETRIES: "7",
      LCM_ENABLED: "false",
      LCM_PRUNE_HEARTBEAT_OK: "1",
      LCM_IGNORE_SESSION_PATTERNS: "a:*, b",
    });
    expect(config).toMatchObject({
      enabled: false,
      modelRetries: 7,
      pruneHeartbeatOk: true,
      ignoreSessionPatterns: ["a:*", "b"],
    });
  });

  it.each([
    [{ LCM_ENABLED: "maybe" }, /^LCM_ENABLED must be true or false, not "maybe"$/],
    [{ LCM_TENNANT: "x" }, /unknown setting LCM_TENNANT/],
    [{ LCM_DATABASE_URL: "mysql://me:pw@x" }, /^LCM_DATABASE_URL must start with postgres.*"mysql:\/\/…"$/],
    [{ LCM_TIMEZONE: "Mars/Olympus" }, /LCM_TIMEZONE.*time zone/],
    [{ LCM_BOOTSTRAP_MAX_TOKENS: "6000" }, /everything is imported/],
    [{ LCM_DATABASE_PATH: "/x.db" }, /dataDir/],
    [{ LCM_SUMMARY_MODEL: "gpt-5" }, /LCM_SUMMARY_MODEL: "gpt-5" has no provider.*openai\/gpt-5/],
    [{ LCM_SUMMARY_FALLBACK_MODELS: "ollama/a,azure/b" }, /LCM_SUMMARY_FALLBACK_MODELS.*"azure"/],
    [{ LCM_SUMMARY_FALLBACK_MODELS: "ollama/a" }, /LCM_SUMMARY_FALLBACK_MODELS needs summaryModel/],
    [
      { LCM_SUMMARY_MODEL: "openai-compatible/a" },
      /^modelBaseUrl must be set: openai-compatible\/a has no default address$/,
    ],
    [
      { LCM_SUMMARY_MODEL: "openai/a", LCM_SUMMARY_FALLBACK_MODELS: "openai-compatible/b" },
      /openai-compatible\/b has no address/,
    ],
    [
      { LCM_MODEL_BASE_URL: "https://me:pass@host/v1" },
      /^LCM_MODEL_BASE_URL must .*without user, password or query, not "https:\/\/…"$/,
    ],
    [{ LCM_MODEL_BASE_URL: "host:8080" }, /LCM_MODEL_BASE_URL must be an http/],
    [{ LCM_MODEL_RETRIES: "many" }, /LCM_MODEL_RETRIES/],
    [{ LCM_MODEL_RETRIES: "-1" }, /LCM_MODEL_RETRIES/],
    [{ LCM_SUMMARY_TIMEOUT_MS: "3000000000" }, /LCM_SUMMARY_TIMEOUT_MS/],
    [{ LCM_SUMMARY_MAX_CALLS_PER_WINDOW: "0" }, /LCM_SUMMARY_MAX_CALLS_PER_WINDOW/],
    [{ LCM_SUMMARY_PROVIDER: "openai" }, /set summaryModel to provider\/model/],
    [{ LCM_EXPANSION_PROVIDER: "openai" }, /set expansionModel to provider\/model/],
    [{ LCM_LARGE_FILE_SUMMARY_PROVIDER: "openai" }, /set largeFileModel to provider\/model/],
    [{ LCM_LARGE_FILE_SUMMARY_MODEL: "m" }, /set largeFileModel to provider\/model/],
    [{ LCM_LARGE_FILE_MODEL: "openai-compatible/a" }, /^modelBaseUrl must be set: openai-compatible\/a/],
    [
      { LCM_SUMMARY_MODEL: "openai/a", LCM_LARGE_FILE_MODEL: "openai-compatible/b" },
      /openai-compatible\/b has no address/,
    ],
    [{ LCM_EXPANSION_MODEL: "openai-compatible/a" }, /^modelBaseUrl must be set: openai-compatible\/a/],
    [
      { LCM_SUMMARY_MODEL: "openai/a", LCM_EXPANSION_MODEL: "openai-compatible/b" },
      /openai-compatible\/b has no address: modelBaseUrl is that of openai/,
    ],
    [{ LCM_DELEGATION_MAX_STEPS: "1" }, /LCM_DELEGATION_MAX_STEPS/],
    [{ LCM_DELEGATION_TIMEOUT_MS: "600001" }, /LCM_DELEGATION_TIMEOUT_MS/],
  ])("refuses %o by name", (environment, message) => {
    expect(() => load(environment)).toThrow(message);
  });

  it.each([
    ['{"tenent":"x"}', /unknown setting tenent/],
    ['{"tenant":7}', /^tenant in .*json must be text, not 7$/],
    ['{"ignoreSessionPatterns":["a",3]}', /^ignoreSessionPatterns\[1\] in .*json must be text, not 3$/],
    ['{"bootstrapMaxTokens":1}', /everything is imported/],
    ['{"hardThreshold":0}', /^hardThreshold in .*json must be more than 0, not 0$/],
    ['{"contextThreshold":0.3}', /^compactTarget must be less than contextThreshold \(0.3\)$/],
    ["[]", /must contain a JSON object/],
    ["{", /cannot be read/],
  ])("refuses a file that says %s", (content, message) => {
    expect(() => load({}, fileWith(content))).toThrow(message);
  });

  it("names everything that is wrong at once, in the environment and in the file", () => {
    const file = fileWith('{"tenent":"x","agent":7,"timezon":"UTC"}');
    const environment = { LCM_ENABLED: "maybe", LCM_TIMEZON: "UTC", LCM_BOOTSTRAP_MAX_TOKENS: "1" };
    const problem = catchError(() => load(environment, file));
    expect(problem).toMatchObject({ code: "config-invalid" });
    expect(problem.message.split("\n  ")).toEqual([
      "6 invalid settings:",
      "unknown setting LCM_TIMEZON. Did you mean LCM_TIMEZONE?",
      expect.stringMatching(/^LCM_BOOTSTRAP_MAX_TOKENS is not used/),
      'LCM_ENABLED must be true or false, not "maybe"',
      expect.stringMatching(/^agent in .*json must be text, not 7$/),
      expect.stringMatching(/^unknown setting tenent\./),
      "unknown setting timezon. Did you mean timezone?",
    ]);
    expect(catchError(() => load({ LCM_ENABLED: "maybe" }, fileWith("{"))).message).toMatch(
      /^2 invalid settings:\n {2}.*json cannot be read: .*\n {2}LCM_ENABLED must be true or false/,
    );
  });

  it("reads a file that an editor began with a byte order mark", () => {
    expect(load({}, fileWith('\ufeff{"agent":"marked"}')).config.agent).toBe("marked");
  });

  it("says what was probably meant", () => {
    expect(() => load({ LCM_LOGLEVEL: "info" })).toThrow(
      expect.objectContaining({ advice: "Did you mean LCM_LOG_LEVEL?" }),
    );
  });

  it("gives every key an environment name of its own", () => {
    const names = CONFIG_KEYS.map(environmentName);
    expect(new Set(names).size).toBe(CONFIG_KEYS.length);
    expect(names).toContain("LCM_SKIP_STATELESS_SESSIONS");
  });
});

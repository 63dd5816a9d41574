import { execFileSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "./temporary-store.ts";

/** In a process of its own: here, other tests may have loaded everything. */
function loadedPackages(config: object, act: "open" | "call" | "embed"): unknown {
  const settings = JSON.stringify({ dataDir: temporaryFolder(), logLevel: "silent", ...config });
  const program = ["test/print-loaded-packages.ts", settings, act];
  return JSON.parse(execFileSync(process.execPath, program, { encoding: "utf8" }));
}

describe("the AI SDK", () => {
  // Nobody listens there.
  const model = { summaryModel: "ollama/test", modelBaseUrl: "http://127.0.0.1:9/v1", modelRetries: 0 };

  it("is not loaded without a model", () => {
    expect(loadedPackages({}, "open")).toEqual([]);
  });

  it("is not loaded before the configured model is called", () => {
    expect(loadedPackages(model, "open")).toEqual([]);
  });

  it("loads only the provider of the called model", () => {
    const loaded = loadedPackages(model, "call");
    expect(loaded).toEqual(expect.arrayContaining(["ai", "@ai-sdk/openai-compatible"]));
    for (const other of ["@ai-sdk/anthropic", "@ai-sdk/openai", "@ai-sdk/google"])
      expect(loaded).not.toContain(other);
  });
});

describe("what embeddings need", () => {
  const nowhere = { embeddingBaseUrl: "http://127.0.0.1:9/v1", modelRetries: 0 };

  it("is not loaded before the first text", () => {
    expect(loadedPackages({ rerankProvider: "jina" }, "open")).toEqual([]);
    expect(loadedPackages({ embeddingModel: "ollama/test", ...nowhere }, "open")).toEqual([]);
  });

  it("is loaded in a thread of its own, when it is the local model", () => {
    expect(loadedPackages({}, "embed")).toEqual([]);
  });

  it("is the provider of the model that is asked, and no other", () => {
    const loaded = loadedPackages({ embeddingModel: "ollama/test", ...nowhere }, "embed");
    expect(loaded).toEqual(expect.arrayContaining(["ai", "@ai-sdk/openai-compatible"]));
    for (const other of ["@ai-sdk/openai", "@ai-sdk/google", "runtime.mjs"])
      expect(loaded).not.toContain(other);
  });
});

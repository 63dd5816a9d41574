import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";

/**
 * Who may import whom. A layer may use itself and what is listed; everything may use the nouns, the errors and
 * the pure text functions.
 */
const LAYERS: Readonly<Record<string, readonly string[]>> = {
  "src/text": [],
  "src/search": ["src/threads"],
  "src/config": [],
  "src/threads": [],
  "src/store": ["src/threads"],
  "src/model": ["src/config", "src/threads"],
  "src/prompts": [],
  "src/jobs": [],
  "src/message": ["src/store/store.ts"],
  "src/context": [
    "src/message",
    "src/search",
    "src/store",
    "src/threads",
    "src/config",
    "src/prompts",
    "src/jobs",
    "src/model/complete.ts",
    "src/model/agent.ts",
    "src/model/model-failure.ts",
    "src/model/embed/embedder.ts",
    "src/model/embed/embed-passages.ts",
  ],
  "src/memory": [
    "src/search",
    "src/store",
    "src/threads",
    "src/config",
    "src/prompts",
    "src/jobs",
    "src/model/complete.ts",
    "src/model/model-failure.ts",
    "src/model/embed/embedder.ts",
    "src/model/embed/embed-passages.ts",
    "src/model/rerank/rerank.ts",
  ],
  "src/compute": ["src/context", "src/memory", "src/threads"],
  "src/metrics": [],
  "src/operations": [
    "src/message",
    "src/context",
    "src/memory",
    "src/store",
    "src/config",
    "src/model/complete.ts",
    "src/model/agent.ts",
  ],
  "src/host": [
    "src/message",
    "src/context",
    "src/config",
    "src/model/complete.ts",
    "src/store/openclaw-database.ts",
  ],
  "src/hooks": [
    "src/config",
    "src/operations",
    "src/host",
    "src/context",
    "src/message",
    "src/search",
    "src/store/open-store.ts",
  ],
  "src/ai-sdk": ["src/operations", "src/host", "src/model/complete.ts"],
  "src/mcp": ["src/operations", "src/context", "src/http/node-http.ts"],
  "src/http": ["src/operations", "src/context", "src/mcp", "src/metrics"],
  "src/cli": [
    "src/operations",
    "src/config",
    "src/context",
    "src/mcp",
    "src/hooks",
    "src/http",
    "src/metrics",
  ],
};
/**
 * The stages of context and memory, each below those that may use it. What lies beside the folders is either the flow,
 * which is listed here, or ground that every stage may use. Imports of types count as well.
 */
const STAGES: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  "src/context": {
    read: [],
    files: ["read"],
    ingest: ["read", "files"],
    retrieve: ["read", "files"],
    compact: ["read", "files"],
    assemble: ["read", "retrieve", "compact"],
    erase: ["read", "files", "compact"],
    verify: ["read", "files", "ingest", "retrieve"],
    "require-input.ts": ["read", "files", "ingest", "retrieve", "compact", "assemble", "erase"],
    "context-conversations.ts": ["read", "ingest", "assemble", "require-input.ts"],
    "context-files.ts": ["read", "files", "ingest", "retrieve", "require-input.ts"],
    "context-index.ts": ["retrieve", "require-input.ts"],
    "context-dependencies.ts": ["ingest", "retrieve", "compact", "assemble"],
    "context.ts": [
      "context-dependencies.ts",
      ...["read", "files", "ingest", "retrieve", "compact", "assemble", "erase"],
      ...["context-conversations.ts", "context-files.ts", "context-index.ts", "require-input.ts"],
    ],
    ask: ["read", "retrieve", "require-input.ts", "context.ts"],
  },
  "src/memory": {
    dedup: [],
    admit: ["dedup"],
    capture: ["dedup", "admit"],
    forget: ["dedup"],
    remember: ["dedup", "capture", "forget"],
    recall: ["dedup", "remember", "forget"],
    exchange: ["capture"],
    verify: ["recall"],
    "memory-work.ts": ["remember", "recall"],
    "memory-history.ts": ["recall"],
    "memory-exchange.ts": ["exchange", "memory-work.ts"],
    "memory-maintenance.ts": ["forget", "remember", "verify", "memory-work.ts"],
    "memory.ts": [
      ...["dedup", "capture", "forget", "remember", "recall"],
      ...["memory-work.ts", "memory-history.ts", "memory-exchange.ts", "memory-maintenance.ts"],
    ],
    "turn-memory.ts": ["capture", "recall", "memory-work.ts", "memory.ts"],
  },
};
const SHARED = [
  "src/types.ts",
  "src/memory-types.ts",
  "src/events.ts",
  "src/errors.ts",
  "src/log.ts",
  "src/package-version.ts",
  "src/text",
];
/** The only files below faces that may know a particular database engine. */
const ENGINE_DOOR = "src/store/open-store.ts";

const files = readdirSync("src", { recursive: true, encoding: "utf8" })
  .map((name) => path.join("src", name))
  .filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts") && !name.includes("/testing/"));

function importsOf(file: string): string[] {
  const source = readFileSync(file, "utf8");
  const found = [...source.matchAll(/(?:from|import\()\s*"(\.[^"]+)"/g)].map((match) => match[1] ?? "");
  return found.map((name) => path.join(path.dirname(file), name));
}

function layerOf(file: string): string | undefined {
  return Object.keys(LAYERS).find((layer) => file.startsWith(`${layer}/`));
}

/** The folder or file of `parent` that holds the file, if any does. */
function stageOf(parent: string, file: string): string | undefined {
  return file.startsWith(`${parent}/`) ? file.slice(parent.length + 1).split("/")[0] : undefined;
}

function mayUse(file: string, target: string): boolean {
  for (const [parent, stages] of Object.entries(STAGES)) {
    const [from, to] = [stageOf(parent, file), stageOf(parent, target)];
    if (from === undefined || to === undefined || from === to) continue;
    const isGround = to.endsWith(".ts") && stages[to] === undefined;
    if (!isGround && stages[from]?.includes(to) !== true) return false;
  }
  return true;
}

describe("layers", () => {
  it("are imported only downwards", () => {
    const wrong: string[] = [];
    for (const file of files) {
      const layer = layerOf(file);
      if (layer === undefined) continue;
      const allowed = [layer, ...SHARED, ...(LAYERS[layer] ?? [])];
      if (
        ["src/operations", "src/host", "src/hooks", "src/ai-sdk", "src/mcp", "src/http", "src/cli"].includes(
          layer,
        )
      )
        allowed.push("src/engine.ts");
      for (const target of importsOf(file))
        if (!allowed.some((prefix) => target === prefix || target.startsWith(`${prefix}/`)))
          wrong.push(`${file} imports ${target}`);
    }
    expect(wrong).toEqual([]);
  });

  it("have stages that import only downwards", () => {
    const wrong = files.flatMap((file) =>
      importsOf(file)
        .filter((target) => !mayUse(file, target))
        .map((target) => `${file} imports ${target}`),
    );
    expect(wrong).toEqual([]);
  });

  it("list each stage below those that use it", () => {
    for (const stages of Object.values(STAGES)) {
      const order = Object.keys(stages);
      for (const [stage, used] of Object.entries(stages))
        expect(order.slice(0, order.indexOf(stage))).toEqual(expect.arrayContaining([...used]));
    }
  });

  it("keep each database engine behind the store's wall", () => {
    const wrong = files.flatMap((file) =>
      importsOf(file)
        .filter((target) => /^src\/store\/(sqlite|postgres)\//.test(target))
        .filter((target) => path.dirname(target).split("/")[2] !== path.dirname(file).split("/")[2])
        .filter(() => file !== ENGINE_DOOR)
        .map((target) => `${file} imports ${target}`),
    );
    expect(wrong).toEqual([]);
  });

  it("read the environment only in the configuration", () => {
    const wrong = files.filter(
      (file) => !file.startsWith("src/config/") && readFileSync(file, "utf8").includes("process.env"),
    );
    expect(wrong).toEqual([]);
  });

  it("import the AI SDK only for its types, when a model is called, or for hosts that have it", () => {
    const loadsAtStart = /^(import|export) (?!type\b)[^;]*from "(ai|@ai-sdk\/[^"]+)"/m;
    const wrong = files.filter(
      (file) => !file.startsWith("src/ai-sdk/") && loadsAtStart.test(readFileSync(file, "utf8")),
    );
    expect(wrong).toEqual([]);
  });

  it("hold statements of SQL only in the stores", () => {
    const statement = /\b(SELECT\s+[\w*]|INSERT INTO|DELETE FROM|UPDATE \w+ SET)\b/;
    const wrong = files.filter(
      (file) => !file.startsWith("src/store/") && statement.test(readFileSync(file, "utf8")),
    );
    expect(wrong).toEqual([]);
  });

  it("let messages in by one way", () => {
    const wrong = files.filter(
      (file) => !file.startsWith("src/store/") && readFileSync(file, "utf8").includes('kind: "append"'),
    );
    expect(wrong).toEqual(["src/context/ingest/append-to-conversation.ts"]);
  });

  it("name flags only on the command line, and in what operations say to people", () => {
    const flag = /^(?! *(?:\/\/|\*|\/\*)).*["`](?:[^"`]*\s)?(?:with|lcm\s[^"`]*|or)\s--[a-z]/m;
    // The examples of a command, and the pages that people read.
    const examples = /^ {4}examples: \[[\s\S]*?\],\n(?= {4}\w| {2}\})/m;
    const isForPeople = (file: string) => /^src\/cli\/|^src\/operations\/.*-page\.ts$/.test(file);
    const wrong = files.filter(
      (file) => !isForPeople(file) && flag.test(readFileSync(file, "utf8").replace(examples, "")),
    );
    expect(wrong).toEqual([]);
  });

  it("take time and chance from outside, below the engine", () => {
    const wrong = files.filter(
      (file) =>
        /^src\/(context|model)\//.test(file) &&
        /Date\.now\(|Math\.random\(|randomBytes\(/.test(readFileSync(file, "utf8")),
    );
    expect(wrong).toEqual([]);
  });
});

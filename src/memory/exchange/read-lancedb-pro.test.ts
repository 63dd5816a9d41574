import { describe, expect, it } from "vitest";
import { type ImportedMemory, idFromForeign } from "./imported-memory.ts";
import { readLancedbPro } from "./read-lancedb-pro.ts";
import { collect } from "./testing/sample-memories.ts";

const OLD = "7f3c1a52-0b7e-4f0e-9a55-2f4f0d1f6a01";
const NEW = "7f3c1a52-0b7e-4f0e-9a55-2f4f0d1f6a02";
const AT = Date.parse("2026-03-01T10:00:00.000Z");

/** As its smart extraction writes them: the text is the first level, other fields are a JSON string. */
const ROWS = [
  {
    id: OLD,
    text: "Preferred editor: VS Code",
    category: "preference",
    scope: "agent:main",
    importance: 0.8,
    timestamp: AT,
    metadata: JSON.stringify({
      l0_abstract: "Preferred editor: VS Code",
      l1_overview: "- Preferred editor: VS Code",
      l2_content: "Preferred editor: VS Code",
      memory_category: "preferences",
      tier: "working",
      access_count: 0,
      confidence: 0.7,
      last_accessed_at: AT,
      valid_from: AT,
      invalidated_at: AT + 1000,
      superseded_by: NEW,
      fact_key: "preferences:preferred editor",
      relations: [{ type: "superseded_by", targetId: NEW }],
      state: "confirmed",
      source: "auto-capture",
    }),
  },
  {
    id: NEW,
    text: "Preferred editor: Helix",
    category: "preference",
    scope: "agent:main",
    importance: 0.9,
    timestamp: AT + 1000,
    metadata: JSON.stringify({
      l0_abstract: "Preferred editor: Helix",
      l1_overview: "## Editor\n- Helix since March",
      l2_content: "The user moved from VS Code to Helix.",
      memory_category: "preferences",
      tier: "core",
      access_count: 12,
      last_accessed_at: AT + 5000,
      confidence: 0.95,
      valid_until: AT + 9000,
      memory_temporal_type: "static",
      fact_key: "preferences:preferred editor",
      supersedes: OLD,
      relations: [
        { type: "supersedes", targetId: OLD },
        { type: "contextualizes", targetId: OLD },
        { type: "rhymes_with", targetId: OLD },
      ],
      support_info: {
        global_strength: 0.75,
        total_observations: 4,
        slices: [
          { context: "work", confirmations: 3, contradictions: 1, strength: 0.75, last_observed_at: AT },
        ],
      },
      injected_count: 3,
      last_injected_at: AT + 6000,
    }),
  },
];

async function read(file: string) {
  const items = await collect(readLancedbPro(file.split("\n")));
  return {
    memories: items.flatMap((item) => ("memory" in item ? [item.memory] : [])),
    problems: items.flatMap((item) => ("problem" in item ? [`${item.line} ${item.problem}`] : [])),
  };
}

async function readRow(row: object): Promise<ImportedMemory | undefined> {
  return (await read(JSON.stringify(row))).memories[0];
}

describe("an export of memory-lancedb-pro", () => {
  const EXPORT = JSON.stringify(
    { version: "1.0", exportedAt: "2026-03-02T00:00:00.000Z", count: 2, filters: {}, memories: ROWS },
    null,
    2,
  );

  it("is the same as its daily backup of the same rows", async () => {
    const backup = ROWS.map((row) => JSON.stringify(row)).join("\n");
    expect(await read(`${backup}\n`)).toEqual(await read(EXPORT));
    expect((await read(EXPORT)).problems).toEqual([]);
  });

  it("keeps words of all levels, and not those that only repeat the first", async () => {
    expect((await read(EXPORT)).memories).toMatchObject([
      { abstract: "Preferred editor: VS Code", overview: "", content: "" },
      {
        abstract: "Preferred editor: Helix",
        overview: "## Editor\n- Helix since March",
        content: "The user moved from VS Code to Helix.",
      },
    ]);
  });

  it("keeps versions, relations, support, uses and times", async () => {
    const { memories } = await read(EXPORT);
    const time = (offset: number) => new Date(AT + offset).toISOString();
    expect(memories[0]).toMatchObject({
      ...{
        id: idFromForeign(OLD),
        scope: "agent:main",
        category: "preferences",
        tier: "working",
        origin: "import",
      },
      ...{ createdAt: time(0), invalidatedAt: time(1000), supersededBy: idFromForeign(NEW), supersedes: [] },
      ...{ accessCount: 0, lastAccessedAt: null, notTaken: [] },
    });
    expect(memories[1]).toMatchObject({
      ...{ tier: "core", importance: 0.9, confidence: 0.95, temporalType: "static", validUntil: time(9000) },
      ...{ factKey: "preferences:preferred editor", supersedes: [idFromForeign(OLD)], supersededBy: null },
      relations: [{ type: "contextualizes", target: idFromForeign(OLD) }],
      support: [{ context: "work", confirmations: 3, contradictions: 1, lastObservedAt: time(0) }],
      ...{ accessCount: 12, lastAccessedAt: time(5000), injectedCount: 3, lastInjectedAt: time(6000) },
      ...{ validFrom: time(1000), notTaken: ['relation of type "rhymes_with"'] },
    });
  });
});

describe("a row of memory-lancedb-pro", () => {
  it.each([
    ["preference", "Tea", "preferences"],
    ["entity", "Acme GmbH", "entities"],
    ["decision", "Use SQLite", "events"],
    ["fact", "My name is Anna", "profile"],
    ["fact", "npm ci fails behind the proxy", "cases"],
    ["other", "Deploy on Fridays", "patterns"],
    ["reflection", "Ask earlier", "patterns"],
    ["something new", "Whatever", "patterns"],
    [undefined, "Whatever", "patterns"],
  ])("of the older category %s, saying %s, is one of %s", async (category, text, expected) => {
    expect(await readRow({ text, category })).toMatchObject({ category: expected });
    const smart = { memory_category: "events" };
    expect(await readRow({ text, category, metadata: JSON.stringify(smart) })).toMatchObject({
      category: "events",
    });
  });

  it.each([
    ["milliseconds", AT],
    ["seconds", AT / 1000],
    ["digits", String(AT)],
    ["ISO text", "2026-03-01T11:00:00+01:00"],
  ])("may have its time in %s", async (_, timestamp) => {
    expect((await readRow({ text: "Some words", timestamp }))?.createdAt).toBe("2026-03-01T10:00:00.000Z");
  });

  it.each([
    ["global", "global"],
    ["user:anna", "user:anna"],
    ["reflection:agent:main", "reflection:agent:main"],
    ["team", "custom:team"],
    [" ", null],
    [undefined, null],
  ])("of scope %j goes to %j", async (scope, expected) => {
    expect((await readRow({ text: "Some words", scope }))?.scope).toBe(expected);
  });

  it("is kept for what it holds where the rest is of wrong types, which is named", async () => {
    const row = {
      id: 7,
      text: "Some words",
      importance: 4,
      timestamp: "soon",
      scope: {},
      metadata: "{broken",
      category: 3,
    };
    expect(await readRow(row)).toMatchObject({
      ...{
        id: idFromForeign("7"),
        abstract: "Some words",
        importance: null,
        createdAt: null,
        category: "patterns",
      },
      notTaken: ["metadata", "scope", "timestamp", "importance", "category"].map(
        (name) => `${name}, which cannot be read`,
      ),
    });
    const facts = {
      tier: "gold",
      confidence: -1,
      relations: "none",
      support_info: { slices: 3 },
      invalidated_at: 0,
    };
    const memory = await readRow({ text: "Some words", metadata: facts });
    expect(memory?.notTaken).toHaveLength(5);
    expect(memory?.invalidatedAt).toBeNull();
  });

  it("without metadata keeps a long text whole, below its first sentence", async () => {
    const text = `The deploy failed. ${"It took long to find out why. ".repeat(30)}`;
    expect(await readRow({ text })).toMatchObject({ abstract: "The deploy failed.", content: text.trim() });
  });

  it("keeps a text that none of the levels repeats", async () => {
    const metadata = { l0_abstract: "Old line", l2_content: "Old story" };
    expect(await readRow({ text: "New line", metadata })).toMatchObject({ content: "Old story\n\nNew line" });
  });

  it("that was archived is archived", async () => {
    const metadata = { state: "archived", archived_at: AT };
    expect(await readRow({ text: "Some words", metadata })).toMatchObject({
      archivedAt: "2026-03-01T10:00:00.000Z",
    });
  });

  it("has the same id whenever it is read, with and without one of its own", async () => {
    const row = { text: "Some words", scope: "global", timestamp: AT };
    expect((await readRow(row))?.id).toBe((await readRow(row))?.id);
    expect((await readRow(row))?.id).not.toBe((await readRow({ ...row, text: "Other words" }))?.id);
  });

  it("without words is told by its line, and the row of the schema is not", async () => {
    const rows = [
      { id: "a" },
      { id: "b", text: "  " },
      { id: "c", text: 5 },
      { id: "__schema__", text: "" },
      { text: "Good" },
    ];
    const { memories, problems } = await read(rows.map((row) => JSON.stringify(row)).join("\n"));
    expect(problems).toEqual(["1 has no text", "2 has no text", "3 has no text"]);
    expect(memories).toHaveLength(1);
  });
});

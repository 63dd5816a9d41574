import { describe, expect, it } from "vitest";
import { idFromForeign } from "./imported-memory.ts";
import { readMem0 } from "./read-mem0.ts";
import { collect } from "./testing/sample-memories.ts";

async function read(value: unknown) {
  const items = await collect(
    readMem0((typeof value === "string" ? value : JSON.stringify(value, null, 2)).split("\n")),
  );
  return {
    memories: items.flatMap((item) => ("memory" in item ? [item.memory] : [])),
    problems: items.flatMap((item) => ("problem" in item ? [`${item.line} ${item.problem}`] : [])),
  };
}

const ROW = {
  id: "0d0b8c1e-64f9-4c1a-8a51-52a4f2b0c001",
  memory: "Is allergic to nuts",
  hash: "9c0f",
  metadata: { team: "web", depth: { a: 1 }, note: null, long: "x".repeat(100) },
  created_at: "2026-02-03T04:05:06.123456-08:00",
  updated_at: "2026-02-04T00:00:00Z",
  user_id: "anna",
  agent_id: "cook",
  run_id: "r1",
};

describe("memories of mem0", () => {
  it("are the same as results, as a list and a row a line", async () => {
    const rows = [ROW, { ...ROW, id: "2", memory: "Prefers window seats" }];
    const { memories, problems } = await read({ results: rows });
    expect(problems).toEqual([]);
    expect(memories).toHaveLength(2);
    expect((await read(rows)).memories).toEqual(memories);
    expect((await read(rows.map((row) => JSON.stringify(row)).join("\n"))).memories).toEqual(memories);
    expect((await read({ count: 2, next: null, previous: null, results: rows })).memories).toEqual(memories);
  });

  it("keep whose they are, their times and short metadata, and name the rest", async () => {
    expect((await read([ROW])).memories).toMatchObject([
      {
        ...{ id: idFromForeign(ROW.id), abstract: "Is allergic to nuts", content: "", category: "profile" },
        ...{ scope: "user:anna", tags: ["team:web", "agent:cook", "custom:run:r1"], origin: "import" },
        ...{ createdAt: "2026-02-03T12:05:06.123Z", updatedAt: "2026-02-04T00:00:00.000Z" },
        notTaken: ["metadata.depth", "metadata.long"],
      },
    ]);
  });

  it("of the platform keep their categories and when they expire", async () => {
    const row = {
      ...ROW,
      categories: ["food", "user_preferences"],
      expiration_date: "2027-01-01",
      memory: "Oat milk",
      metadata: null,
    };
    expect((await read({ results: [row] })).memories).toMatchObject([
      {
        category: "preferences",
        tags: ["food", "user_preferences", "agent:cook", "custom:run:r1"],
        validUntil: "2027-01-01T00:00:00.000Z",
      },
    ]);
  });

  it.each([
    [{ user_id: "anna" }, "user:anna"],
    [{ agent_id: "cook" }, "agent:cook"],
    [{ app_id: "shop", run_id: 5 }, "project:shop"],
    [{ run_id: 5 }, "custom:run:5"],
    [{ user_id: "  " }, null],
    [{}, null],
  ])("of %j go to %j", async (owner, expected) => {
    expect((await read([{ id: "1", memory: "Some words", ...owner }])).memories).toMatchObject([
      { scope: expected },
    ]);
  });

  it("leave the graph, and say how much of it there was", async () => {
    const relations = [
      { source: "anna", relationship: "likes", target: "tea" },
      { source: "anna", relationship: "knows", target: "eve" },
    ];
    const { memories, problems } = await read({ results: [ROW], relations });
    expect(memories).toHaveLength(1);
    expect(problems).toEqual(["23 starts the graph, whose relations are not imported: 2"]);
  });

  it("of wrong types are kept for their words, or told by their line", async () => {
    const { memories, problems } = await read([
      { id: {}, memory: "Some words", metadata: "x", created_at: "soon", categories: "food", user_id: [] },
      { id: "1" },
      { id: "1", memory: 5 },
    ]);
    expect(memories).toMatchObject([{ abstract: "Some words", createdAt: null, scope: null }]);
    expect(memories[0]?.notTaken).toHaveLength(5);
    expect(problems).toHaveLength(2);
  });
});

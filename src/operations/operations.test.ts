import { describe, expect, it } from "vitest";
import { z } from "zod";
import { adviceForModels } from "./advice-for-models.ts";
import { hidePassword } from "./config-show.ts";
import { OPERATIONS as ALL } from "./index.ts";

type JsonSchema = {
  readonly type?: string;
  readonly description?: string;
  readonly properties?: Record<string, JsonSchema>;
  readonly additionalProperties?: unknown;
  readonly items?: JsonSchema;
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
};

/** Every object schema below this one, with its path. */
function objectsIn(schema: JsonSchema, place: string): [string, JsonSchema][] {
  const below = Object.entries(schema.properties ?? {}).flatMap(([name, field]) =>
    objectsIn(field, `${place}.${name}`),
  );
  const branches = [
    ...(schema.anyOf ?? []),
    ...(schema.oneOf ?? []),
    ...(schema.items ? [schema.items] : []),
  ];
  const inner = branches.flatMap((branch) => objectsIn(branch, place));
  return [
    ...(schema.properties === undefined ? [] : [[place, schema] as [string, JsonSchema]]),
    ...below,
    ...inner,
  ];
}

function plain(schema: object): JsonSchema {
  return JSON.parse(JSON.stringify(schema));
}

const objects = ALL.flatMap(({ name, input, output }) => [
  ...objectsIn(plain(z.toJSONSchema(input, { io: "input" })), `${name} input`),
  ...objectsIn(plain(z.toJSONSchema(output)), `${name} output`),
]);

/** Memories have a separate command with subcommands. */
function commandOf(name: string): string {
  return name.replace(/^memory-fact-query$/, "memory facts").replace(/^(memory|conversations)-/, "$1 ");
}

describe("operations", () => {
  it("have names of their own, in kebab-case, and a sentence each", () => {
    expect(new Set(ALL.map(({ name }) => name)).size).toBe(ALL.length);
    for (const { name, summary } of ALL) {
      expect(name).toMatch(/^[a-z]+(-[a-z]+)*$/);
      expect(summary).toMatch(/^[A-Z].*\.$/);
    }
  });

  it("are called by models under names that advice can be translated to", () => {
    const tools = ALL.flatMap(({ name, tool }) => (tool === undefined ? [] : [{ name, tool: tool.name }]));
    expect(tools.length).toBeGreaterThan(5);
    for (const { name, tool } of tools)
      expect(adviceForModels(`See: lcm ${commandOf(name)}.`)).toBe(`See: ${tool}.`);
  });

  it("name parameters to models where advice names words and options of a command", () => {
    const translated = {
      "Read some with: lcm read conv_1 from=<number>": 'lcm_read with {"id":"conv_1","from":"<number>"}',
      "Read on: lcm read <conversation> from=42 to=42":
        'lcm_read with {"id":"<conversation>","from":42,"to":42}',
      "Found by: lcm grep <words>, or otherwise.": 'lcm_grep with {"pattern":"<words>"}, or otherwise.',
      "It was: lcm describe sum_1; or not": 'lcm_describe with {"id":"sum_1"}; or not',
      "Open it: lcm expand sum_1 maxTokens=10": 'lcm_expand with {"summary":"sum_1","maxTokens":10}',
      "Listed by: lcm tree <conversation>":
        'lcm_recent with {"conversations":["<conversation>"],"kinds":["summary"]}',
      "List all with: lcm conversations archived=true": 'lcm_conversations with {"archived":true}',
      "Found by: lcm files list": 'lcm_grep with {"pattern":"<words>","scope":"files"}',
      "Find it with: lcm memory recall <words> limit=3": 'memory_recall with {"query":"<words>","limit":3}',
      "Erase it with: lcm memory forget mem_1 erase=true": 'memory_forget with {"id":"mem_1","erase":true}',
      "List them: lcm memory": "memory_list",
      "See it with: lcm memory show mem_1": 'memory_recall with {"query":"mem_1","full":true}',
      "Read it with: lcm files cat file_1": 'lcm_describe with {"id":"file_1","expandFile":true}',
    };
    for (const [advice, call] of Object.entries(translated))
      expect(adviceForModels(advice)).toBe(`${advice.slice(0, advice.indexOf(": ") + 2)}${call}`);
  });

  it("leave to a person what only a terminal has", () => {
    expect(adviceForModels("Look with: lcm verify, lcm reader")).toMatch(
      /^Look with: lcm verify, lcm reader\n\(Commands .* for a person to run in a terminal\.\)$/,
    );
    expect(adviceForModels("Wait a moment -- or two.")).toBe("Wait a moment -- or two.");
  });

  it("describe every field of what goes in and comes out", () => {
    const silent = objects.flatMap(([place, { properties = {} }]) =>
      Object.entries(properties)
        .filter(([, field]) => field.description === undefined)
        .map(([field]) => `${place}.${field}`),
    );
    expect(objects.length).toBeGreaterThan(ALL.length * 2);
    expect(silent).toEqual([]);
  });

  it("take and give nothing that is not named", () => {
    const open = objects.filter(([, schema]) => schema.additionalProperties !== false);
    expect(open.map(([place]) => place)).toEqual([]);
  });
});

describe("a database URL that is shown", () => {
  it("keeps its password to itself, wherever it stands", () => {
    expect(hidePassword("postgres://me:se:cr@t/x@host:5432/db")).toBe("postgres://me:***@host:5432/db");
    expect(hidePassword("postgres://host/db?user=me&password=secret&schema=s")).toBe(
      "postgres://host/db?user=me&password=***&schema=s",
    );
    expect(hidePassword("postgres://me@host/db")).toBe("postgres://me@host/db");
  });
});

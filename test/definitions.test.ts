/** Flags, help and tools are what the definitions of the operations give, each once. */
import { execFileSync } from "node:child_process";
import { Command } from "commander";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { addOperation, flagsText } from "../src/cli/add-operation.ts";
import { parametersOf } from "../src/cli/parameters.ts";
import { fieldsIn, type Typed, typedAgain } from "../src/cli/typed.ts";
import { MODEL_TOOLS, operations } from "../src/operations/index.ts";
import type { AnyOperation } from "../src/operations/registry.ts";
import { lcm, temporaryFolder } from "./cli/lcm.ts";
import { COMMAND, connectProgram } from "./mcp/clients.ts";

const ALL = Object.entries<AnyOperation>(operations);

function fieldsOf({ input }: AnyOperation): string[] {
  return Object.keys(z.toJSONSchema(input, { io: "input" }).properties ?? {});
}

/** What is typed after the words of a command. */
async function typed(operation: AnyOperation, argv: readonly string[]): Promise<Typed> {
  let result: Typed | undefined;
  const program = new Command("x").exitOverride();
  addOperation(program, "x", operation, async (given) => {
    result = given;
  });
  await program.parseAsync(argv, { from: "user" });
  if (result === undefined) throw new Error("nothing was run");
  return result;
}

describe("the definitions of operations", () => {
  it.each(ALL)("offer every field of %s on the command line, or say that they do not", (_, operation) => {
    const { flags = {}, sets = {}, also = {}, positional = [], view } = operation.command;
    const offered = parametersOf(operation).flatMap(({ field, of }) => (of === "input" ? field : []));
    const left = [...Object.keys(sets), ...Object.keys(flags).filter((name) => flags[name] === false)];
    expect([...offered, ...left].toSorted()).toEqual(fieldsOf(operation).toSorted());
    const known = [...fieldsOf(operation), ...Object.keys(also), ...Object.keys(view?.shape ?? {})];
    expect(known).toEqual(expect.arrayContaining([...positional]));
  });

  it("name each flag of a command once", () => {
    for (const [, operation] of ALL) {
      const names = parametersOf(operation).flatMap(({ name, letter }) => [name, letter ?? name]);
      const flags = parametersOf(operation).filter(({ isPositional }) => !isPositional);
      expect(new Set(flags.map(({ name }) => name)).size).toBe(flags.length);
      expect(names).not.toContain("json");
    }
  });

  it.each(ALL)("are the help of lcm %s", async (words, operation) => {
    const { code, stdout } = await lcm([...words.split(" "), "--help"]);
    const page = stdout.replaceAll(/\s+/g, " ");
    expect(code).toBe(0);
    expect(page).toContain(operation.summary);
    for (const one of parametersOf(operation)) {
      expect(page).toContain(one.isPositional ? one.value?.replace("...", "") : flagsText(one));
      expect(page).toContain(one.description);
    }
  });

  it("name options in help as they are typed, and say nothing that only models or programs need", () => {
    for (const [, operation] of ALL) {
      const parameters = parametersOf(operation);
      const help = parameters.map(({ description }) => description).join("\n");
      for (const { field } of parameters) expect(help).not.toContain(`\`${field}\``);
      expect(help).not.toMatch(
        /for models|on the command line|Default false|Without an offset: UTC|\bnull\b/,
      );
    }
    const described = (words: string, name: string) =>
      parametersOf(ALL.find(([one]) => one === words)?.[1] ?? operations.grep).find(
        (one) => one.name === name,
      )?.description;
    expect(described("export", "without-tool-results")).toMatch(/^With --html: /);
    expect(described("erase", "to")).toContain("the same as --from.");
    expect(described("memory update", "until")).toContain("none removes it.");
    expect(described("ask", "timeout")).toContain("in seconds");
  });

  it("state the defaults that models get", () => {
    const stated = MODEL_TOOLS.flatMap(({ name, shownTo }) => {
      const { input } = shownTo({ searchesByMeaning: false });
      const { properties = {} } = z.toJSONSchema(input, { io: "input" });
      const defaults = ALL.find(([, { tool }]) => tool?.name === name)?.[1].tool?.defaults ?? {};
      return Object.entries(defaults).map(([field, value]) => [
        Object(properties[field]).description,
        `Default ${Number(value).toLocaleString("en")}.`,
      ]);
    });
    expect(stated.length).toBeGreaterThan(3);
    for (const [description, expected] of stated) expect(description).toContain(expected);
  });

  it("are the tools of the MCP server", async () => {
    const { client } = await connectProgram([COMMAND, "--data", temporaryFolder(), "mcp"]);
    const { tools } = await client.listTools();
    const defined = MODEL_TOOLS.map(({ name, shownTo }) => {
      const { description, input } = shownTo({ searchesByMeaning: false });
      return { name, description, inputSchema: z.toJSONSchema(input, { io: "input" }) };
    });
    expect(tools).toEqual(defined.map((one) => expect.objectContaining(JSON.parse(JSON.stringify(one)))));
  });
});

describe("a command that is suggested again", () => {
  const given: readonly (readonly [AnyOperation, readonly string[]])[] = [
    [
      operations.grep,
      ["it's", "-e", "--role", "user,tool", "--conversation", "a,b", "--conversation", "c d"],
    ],
    [operations.grep, ["-C", "3", "-i", "--exact", "--", "--dashed words"]],
    [operations["memory list"], ["--state", "all", "--tag", "one", "--tag", "two", "--limit", "5"]],
    [operations.describe, ["file_0123456789abcdef", "--lines", "10-20"]],
    [operations.expand, ["sum_0123456789abcdef", "--no-messages", "--levels", "2"]],
    [operations.import, ["first file.jsonl", "second"]],
    [operations["memory update"], ["mem_1", "other words", "--until", "none", "--importance", "0.5"]],
  ];

  it.each(given)("means the same to a shell", async (operation, argv) => {
    const first = await typed(operation, argv);
    const [, line = ""] = /^x (.*)$/s.exec(typedAgain(first, {})) ?? [];
    const words = execFileSync("sh", ["-c", `printf '%s\\0' ${line}`], { encoding: "utf8" }).split("\0");
    const second = await typed(operation, words.slice(0, -1));
    expect(fieldsIn(second, "input")).toEqual(fieldsIn(first, "input"));
  });

  it("changes what is asked, and shows ids as they were understood", async () => {
    const first = await typed(operations.read, ["[conv_0123456789abcdef]", "--from", "3", "--to", "9"]);
    const input = { id: "conv_0123456789abcdef", from: 3, to: 9 };
    expect(typedAgain(first, input, { from: 7 })).toBe("x conv_0123456789abcdef --to 9 --from 7");
    expect(typedAgain(first, input, { from: undefined, to: undefined }, "tree")).toBe(
      "tree conv_0123456789abcdef",
    );
  });
});

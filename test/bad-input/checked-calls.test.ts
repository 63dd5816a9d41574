/**
 * Every public method checks what it is given: a wrong type and an unknown option are refused as `invalid-input`. The
 * methods are found on the objects themselves, so a new one fails here until it is described.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Engine, type ErrorCode, isPalimpsestError, open } from "../../src/index.ts";
import { type Place, temporaryPlace } from "../temporary-store.ts";

/** What a method takes, in order. `options`: may be left out. */
type Taken = "input" | "options" | "conversation" | "id" | "list" | "text" | "path" | "items" | "scope";

const METHODS: Readonly<Record<string, readonly Taken[]>> = {
  ask: ["input"],
  contextOf: ["scope"],
  memoryOf: ["scope"],
  memoryOfSession: ["text"],
  close: [],

  "context.commitTurn": ["input"],
  "context.reconcile": ["input"],
  "context.evaluate": ["input"],
  "context.compact": ["input"],
  "context.assemble": ["input"],
  "context.expand": ["input"],
  "context.read": ["input"],
  "context.grep": ["input"],
  "context.recent": ["options"],
  "context.describe": ["input"],
  "context.erase": ["input"],

  "context.conversations.get": ["conversation"],
  "context.conversations.list": ["options"],
  "context.conversations.family": ["conversation"],
  "context.conversations.rename": ["conversation", "text"],
  "context.conversations.archive": ["conversation"],
  "context.conversations.unarchive": ["conversation"],
  "context.conversations.delete": ["conversation"],
  "context.conversations.summaries": ["conversation"],
  "context.conversations.compactions": ["conversation"],
  "context.conversations.import": ["path", "options"],
  "context.conversations.importAll": ["path", "options"],
  "context.conversations.importEntries": ["input"],
  "context.conversations.entriesCursor": ["conversation", "text"],
  "context.conversations.transcript": ["input"],
  "context.conversations.reset": ["input"],
  "context.conversations.at": ["input"],
  "context.conversations.diff": ["input"],

  "context.files.list": ["options"],
  "context.files.read": ["input"],
  "context.files.content": ["id", "options"],
  "context.files.attach": ["input"],
  "context.files.migrate": ["options"],
  "context.files.grep": ["input"],

  "context.index.build": ["options"],
  "context.index.embed": ["options"],
  "context.index.embeddings": [],

  "memory.store": ["input"],
  "memory.storeMany": ["list", "options"],
  "memory.recall": ["input", "options"],
  "memory.list": ["options"],
  "memory.get": ["id"],
  "memory.update": ["input"],
  "memory.forget": ["input"],
  "memory.facts": ["input"],
  "memory.capture": ["input"],

  "memory.history.versions": ["id"],
  "memory.history.events": ["id"],
  "memory.history.source": ["id"],
  "memory.history.decisions": ["options"],

  "memory.exchange.import": ["items", "options"],
  "memory.exchange.export": ["options"],

  "memory.maintenance.stats": [],
  "memory.maintenance.consolidate": ["options"],
  "memory.maintenance.reembed": ["options"],
  "memory.maintenance.index": ["options"],
  "memory.maintenance.verify": ["input"],
  "memory.maintenance.repair": ["list"],
};

const UNKNOWN = { notAnOption: 1 };
const NOT_TEXT = [null, 7, {}, []];
const WRONG: Readonly<Record<Taken, readonly unknown[]>> = {
  input: [undefined, null, 7, "x", [], UNKNOWN],
  options: [null, 7, "x", [], UNKNOWN],
  scope: [undefined, null, 7, "x", {}, { agent: "a" }, { tenant: "t" }, { tenant: "t", agent: 7 }, UNKNOWN],
  conversation: [undefined, null, 7, {}, [], "", UNKNOWN],
  id: [undefined, ...NOT_TEXT],
  text: [undefined, ...NOT_TEXT],
  path: [undefined, ...NOT_TEXT, ""],
  list: [undefined, null, 7, "x", {}, [7], [null], [UNKNOWN]],
  items: [undefined, null, 7, "x", {}, [7], [null], [{}]],
};

/** What is right in the places beside the one that is wrong. */
const RIGHT: Readonly<Record<Taken, unknown>> = {
  ...{ input: { query: "x" }, options: {}, scope: { tenant: "t", agent: "a" }, conversation: "s" },
  ...{ id: "file_0123456789abcdef", text: "x", path: "session.jsonl", list: [], items: [] },
};

const CASES = Object.entries(METHODS).flatMap(([method, taken]) =>
  taken.flatMap((kind, place) =>
    WRONG[kind].map((wrong) => {
      const given = taken.map((other, index) => (index === place ? wrong : RIGHT[other]));
      return { method, given, wrong, told: given.map((one) => JSON.stringify(one) ?? "nothing").join(", ") };
    }),
  ),
);

describe("a public method", () => {
  let place: Place;
  let engine: Engine;
  beforeAll(async () => {
    place = await temporaryPlace("sqlite");
    engine = await open({ store: place.store, background: "off" });
  });
  afterAll(async () => {
    await engine.close();
    await place.dispose();
  });

  const call = async (method: string, ...given: readonly unknown[]): Promise<void> => {
    const names = method.split(".");
    const holder = names.slice(0, -1).reduce<object>((group, name) => Reflect.get(group, name), engine);
    const result: unknown = await Reflect.apply(Reflect.get(holder, names.at(-1) ?? ""), holder, given);
    // What is returned piece by piece is checked when it is read.
    if (typeof result === "object" && result !== null && Symbol.asyncIterator in result)
      for await (const _ of result as AsyncIterable<unknown>) break;
  };

  const refusal = (refused: Promise<unknown>): Promise<unknown> =>
    refused.then(
      () => new Error("it was not refused"),
      (error: unknown) => error,
    );

  it("is known to this test", () => {
    const { context, memory } = engine;
    const groups = {
      ...{ "": engine, context, memory, "context.conversations": context.conversations },
      ...{ "context.files": context.files, "context.index": context.index, "memory.history": memory.history },
      ...{ "memory.exchange": memory.exchange, "memory.maintenance": memory.maintenance },
    };
    const found = Object.entries(groups).flatMap(([group, holder]) =>
      methodsOf(holder).map((name) => (group === "" ? name : `${group}.${name}`)),
    );
    expect(found.sort()).toEqual(Object.keys(METHODS).sort());
    // A new group of methods is found, too.
    const held = [context, memory].flatMap((one) => Object.values(one));
    for (const group of held) expect(Object.values(groups)).toContain(group);
  });

  it.each(CASES)("refuses $method($told)", async ({ method, given, wrong }) => {
    const error = await refusal(call(method, ...given));
    expect(error).toSatisfy((thrown) => isPalimpsestError(thrown, "invalid-input"), String(error));
    if (wrong === UNKNOWN) expect(String(error)).toMatch(/has no option notAnOption/);
  });

  it.each([
    ["context.grep", { pattern: "x", onHit: 3 }, /onHit must be a function, not 3/],
    ["context.grep", { pattern: "x", signal: "s" }, /signal must be an AbortSignal, not "s"/],
    ["context.compact", { conversation: "s", signal: "s", onPass: 3 }, /signal.*onPass/],
    ["context.assemble", { conversation: "s", pending: [3] }, /pending\[0\] must be a message, not 3/],
    ["memory.store", { text: "x".repeat(3_000) }, /text must have at most 2000 characters, not 3000/],
    ["contextOf", { agent: "a" }, /contextOf needs both tenant and agent/],
  ])("says what is wrong with %s(%o)", async (method, given, problem) => {
    expect(String(await refusal(call(method, given)))).toMatch(problem);
  });

  it("changes no memory for an option that is misspelt", async () => {
    const text = "The user lives in Oslo, Norway since 2019";
    for (const force of [false, true]) await engine.memory.store({ text, category: "profile", force });
    const error = await refusal(call("memory.maintenance.consolidate", { dryrun: true }));
    expect(error).toMatchObject({ advice: expect.stringMatching(/^Did you mean dryRun\?/) });
    expect((await engine.memory.list()).rows).toHaveLength(2);
  });

  it.each<[string, unknown, ErrorCode, RegExp]>([
    ["nothing", undefined, "invalid-input", /open must be a function/],
    ["text", "x", "invalid-input", /open must be a function, not "x"/],
    ["a function that gives null", () => null, "invalid-input", /open must return .*, not null/],
    ["a function that gives text", () => "abc", "invalid-input", /open must return .*, not text/],
    ["a promise", async () => [], "invalid-input", /open must return .*, not a promise/],
    ["bytes without a list", () => new Uint8Array(1), "invalid-input", /open must return/],
    ["pieces of text", () => ["abc"], "invalid-input", /pieces that are Uint8Array, not text/],
    ["numbers", () => [1], "invalid-input", /pieces that are Uint8Array, not a number/],
    ["a function that throws", (): never => fail(new Error("boom")), "invalid-input", /open failed: boom/],
    ["a missing file", (): never => fail(missing()), "not-found", /open failed: there is no such file/],
  ])("attaches no file from %s", async (_, content, code, problem) => {
    const error = await refusal(
      call("context.files.attach", { conversation: "files", name: "a.txt", open: content }),
    );
    expect(error).toSatisfy((refused) => isPalimpsestError(refused, code), String(error));
    expect(String(error)).toMatch(problem);
    await expect(engine.context.conversations.get("files")).rejects.toMatchObject({ code: "not-found" });
  });

  it.each([
    ["clock", () => Number.NaN, /clock returned NaN: it must return milliseconds/],
    ["countTokens", () => Number.NaN, /countTokens returned NaN: it must return a whole number/],
    ["countTokens", () => 2.5, /countTokens returned 2.5/],
    ["random", () => "x", /random returned string: it must return a Uint8Array of 16 bytes/],
  ])("names the function %s whose result cannot be stored", async (name, wrong, problem) => {
    const other = await open({ store: place.store, background: "off", [name]: wrong as never });
    const messages = [{ role: "user", content: "hello" }];
    const error = await refusal(other.context.commitTurn({ conversation: name, key: "k", messages }));
    await other.close();
    expect(error).toSatisfy((thrown) => isPalimpsestError(thrown, "invalid-input"), String(error));
    expect(String(error)).toMatch(problem);
  });

  it("takes no text for settings", async () => {
    expect(String(await refusal(open({ store: place.store, config: "x" as never })))).toMatch(
      /config must be an object with settings/,
    );
  });
});

function methodsOf(holder: object): string[] {
  const described = Object.getOwnPropertyDescriptors(Object.getPrototypeOf(holder));
  return Object.keys(described).filter(
    (name) => name !== "constructor" && typeof described[name]?.value === "function",
  );
}

function fail(error: Error): never {
  throw error;
}

function missing(): Error {
  return Object.assign(new Error("ENOENT: no such file or directory"), { code: "ENOENT" });
}

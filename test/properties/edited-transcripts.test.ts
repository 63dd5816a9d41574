import { rmSync, utimesSync, writeFileSync } from "node:fs";
import path from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { checkIntegrity } from "../../src/context/verify/check-integrity.ts";
import { type Context, type Engine, open } from "../../src/index.ts";
import type { ScopedStore } from "../../src/store/store.ts";
import { REPEATED, times } from "../run-length.ts";
import { ENGINES, type Place, temporaryFolder, temporaryPlace } from "../temporary-store.ts";
import { type Edit, editFile, edits } from "./edit-scripts.ts";

const RUNS = times({ short: 40, long: 2_000 });
const HEADER = '{"type":"palimpsest","version":1,"session":"s"}\n';
const TIME = 1_700_000_000;

/** What happens between two imports, again and again. */
const scripts = fc.array(fc.array(edits, { minLength: 1, maxLength: 2 }), { minLength: 2, maxLength: 12 });

describe.each(ENGINES)("a transcript that is edited in any way, on %s", (name) => {
  let place: Place;
  let engine: Engine;
  let folder: string;
  let runs = 0;
  beforeAll(async () => {
    place = await temporaryPlace(name);
    folder = temporaryFolder();
    engine = await open({ store: place.store, background: "off", config: { logLevel: "silent" } });
  });
  afterAll(async () => {
    await engine.close();
    await place.dispose();
    rmSync(folder, { recursive: true, force: true });
  });

  it(
    "comes back byte for byte in each of its versions, and keeps every message (promise: transcript)",
    REPEATED,
    async () => {
      await fc.assert(
        fc.asyncProperty(scripts, async (script) => {
          const scope = { tenant: `run-${++runs}`, agent: "default" };
          const run = new EditRun(
            engine.contextOf(scope),
            engine.store.scoped(scope),
            path.join(folder, `${runs}.jsonl`),
          );
          for (const step of script) await run.take(step);
          expect((await checkIntegrity(engine.store, { scope })).problems).toEqual([]);
        }),
        { numRuns: RUNS, examples: EXAMPLES.map((script) => [script]) },
      );
    },
  );
});

class EditRun {
  readonly #context: Context;
  readonly #store: ScopedStore;
  readonly #path: string;
  #file = "";
  /** The bytes of each version, and the content of each message, as they were when they were read. */
  readonly #versions = new Map<number, string>();
  readonly #messages = new Map<number, unknown>();

  constructor(context: Context, store: ScopedStore, file: string) {
    this.#context = context;
    this.#store = store;
    this.#path = file;
  }

  async take(step: readonly Edit[]): Promise<void> {
    const before = this.#file;
    this.#file = step.reduce(editFile, before === "" ? HEADER : before);
    writeFileSync(this.#path, this.#file);
    // Not even the time tells that the file was written to.
    utimesSync(this.#path, TIME, TIME);
    const report = await this.#context.conversations.import(this.#path);
    expect(report.file === "unchanged").toBe(this.#file === before);
    expect(await this.#context.conversations.import(this.#path)).toMatchObject({ file: "unchanged" });
    const conversation = report.conversation ?? "";
    await this.#compareVersions(conversation, before);
    await this.#compareMessages(conversation);
  }

  async #compareVersions(conversation: string, before: string): Promise<void> {
    const newest = (await this.#store.transcripts(conversation)).at(-1)?.number ?? 0;
    // A version only ever goes on.
    if (this.#versions.has(newest)) expect(this.#file.startsWith(before)).toBe(true);
    this.#versions.set(newest, this.#file);
    for (const [version, bytes] of this.#versions)
      expect(await this.#written(conversation, version)).toBe(bytes);
  }

  async #written(conversation: string, version: number): Promise<string> {
    const chunks: Uint8Array[] = [];
    for await (const chunk of this.#context.conversations.transcript({ conversation, version }))
      chunks.push(chunk);
    return Buffer.concat(chunks).toString("utf8");
  }

  async #compareMessages(conversation: string): Promise<void> {
    const { messages } = await this.#context.read({ conversation, limit: 1_000 });
    const now = new Map(messages.map(({ seq, original }) => [seq, original]));
    for (const [seq, original] of this.#messages) expect(now.get(seq)).toEqual(original);
    for (const [seq, original] of now) this.#messages.set(seq, original);
    const inContext = messages.filter(({ excluded }) => excluded === null);
    for (const said of saidIn(this.#file)) expect(inContext.map(({ original }) => original)).toContain(said);
  }
}

/** The messages of a file, told without the engine. */
function saidIn(file: string): string[] {
  return file.split("\n").flatMap((line) => {
    const isMessage = /^\{("id":"[a-d]",)?"role":"(user|assistant)","content":"[^"]*"\}\r?$/.test(line);
    return isMessage ? [line] : [];
  });
}

const say = (content: string, id?: string): Edit => ({
  edit: "append",
  at: 0,
  line: JSON.stringify({ id, role: "user", content }),
});

/** Scripts that are easily got wrong, tried each time before the random ones. */
const EXAMPLES: Edit[][][] = [
  // A line becomes another one of the same length, and the file grows or not.
  [
    [say("one"), say("two")],
    [{ edit: "overwrite", at: 0, letter: "x" }, say("three")],
  ],
  [[say("one"), say("two")], [{ edit: "overwrite", at: 0, letter: "x" }]],
  [[say("one"), say("two")], [{ edit: "overwrite", at: 1, letter: "x" }]],
  // An entry is there twice, and one of the two goes.
  [[say("one", "a"), say("one", "a")], [{ edit: "delete", at: 1 }]],
  // A last line without its line feed becomes another one, of the same length, shorter or longer.
  [[say("one"), torn("{first")], [torn("{other")]],
  [[say("one"), torn("{first")], [torn("{fir")]],
  [[say("one"), torn("{fir")], [torn("{first")]],
];

function torn(line: string): Edit {
  return { edit: "tear", line, at: line.length };
}

import { readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { checkIntegrity } from "../../src/context/verify/check-integrity.ts";
import { type Engine, open } from "../../src/index.ts";
import { interceptCalls } from "../../src/store/testing/counting-store.ts";
import { ENGINES, type Place, temporaryFolder, temporaryPlace } from "../temporary-store.ts";

const line = (words: string) => `${JSON.stringify({ role: "user", content: words })}\n`;

describe.each(ENGINES)("a transcript that two processes read at the same time, on %s", (name) => {
  let place: Place;
  let engine: Engine;
  let folder: string;
  beforeEach(async () => {
    place = await temporaryPlace(name);
    folder = temporaryFolder();
    engine = await open({ store: place.store });
  });
  afterEach(async () => {
    await engine.close();
    await place.dispose();
    rmSync(folder, { recursive: true, force: true });
  });

  it.each([
    ["grew", ["one", "two", "three", "four"]],
    ["was edited", ["one", "other words"]],
  ])("is on record as it is when it %s before the slower one stores what it read", async (_, last) => {
    const file = path.join(folder, "session.jsonl");
    writeFileSync(file, ["one", "two"].map(line).join(""));
    await engine.context.conversations.import(file);
    writeFileSync(file, ["one", "two", "three"].map(line).join(""));
    const slow = await startSlowImport(file);
    writeFileSync(file, last.map(line).join(""));
    await engine.context.conversations.import(file);
    await slow.finish();

    const pieces: Uint8Array[] = [];
    for await (const piece of engine.context.conversations.transcript({ conversation: "session" }))
      pieces.push(piece);
    const { messages } = await engine.context.read({ conversation: "session" });
    expect(
      messages.filter(({ excluded }) => excluded === null).map(({ original }) => `${original}\n`),
    ).toEqual(last.map(line));
    expect(Buffer.concat(pieces).toString()).toBe(readFileSync(file, "utf8"));
    expect((await checkIntegrity(engine.store)).problems).toEqual([]);
  });

  /** An import that has read the file and waits before its commit until it is told to finish. */
  async function startSlowImport(file: string): Promise<{ finish(): Promise<unknown> }> {
    const reached = Promise.withResolvers<void>();
    const released = Promise.withResolvers<void>();
    const store = interceptCalls(engine.store, async (call, run) => {
      if (call === "commit") {
        reached.resolve();
        await released.promise;
      }
      return run();
    });
    const importing = (await open({ store })).context.conversations.import(file);
    await reached.promise;
    return {
      finish: () => {
        released.resolve();
        return importing;
      },
    };
  }
});

/** A backup from before an erasure does not bring the erased words back, unless that is asked for. */
import { rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { restore } from "../../src/operations/store/restore.ts";
import { ENGINES, type Place, temporaryPlace } from "../temporary-store.ts";
import { lcm, lcmJson, temporaryFolder } from "./lcm.ts";
import { contentOf, importInto } from "./stores.ts";
import { neutral, said } from "./transcripts.ts";

type Restored = Awaited<ReturnType<typeof restore.run>>;

const SECRET = "the vault opens with four seven one nine";
const FACT = "The gardener has the second key to the vault.";

describe.each(ENGINES)("restoring a backup from before an erasure, on %s", (kind) => {
  const folder = temporaryFolder();
  const file = path.join(folder, "notes.jsonl");
  let place: Place;
  let there: string[];
  let backup: string;
  const run = <Answer>(...args: string[]) => lcmJson<Answer>([...there, ...args], { folder });

  beforeEach(async () => {
    place = await temporaryPlace(kind);
    there = [kind === "sqlite" ? "--data" : "--database-url", place.store];
    const messages = ["hello", SECRET, "goodbye"].map((text, index) => said("user", text, `n${index}`));
    writeFileSync(file, neutral("notes", messages));
    await importInto(place.store, file);
    writeFileSync(file, neutral("gone", [said("user", "another talk", "g0")]));
    await importInto(place.store, file);
    const { memory } = await run<{ memory: { id: string } }>("memory", "store", FACT);
    backup = path.join(folder, `${kind}.jsonl`);
    writeFileSync(backup, await contentOf(place.store));
    await run("erase", "notes", "--from", "2", "--to", "2", "--yes");
    await run("memory", "forget", memory.id, "--erase", "--yes");
    await run("conversations", "delete", "gone", "--yes");
  });
  afterEach(async () => {
    await place.dispose();
    rmSync(backup, { force: true });
  });

  // promise: copies
  it("erases it again, says so, and names a conversation that is back", async () => {
    const answer = await run<Restored>("restore", backup, "--yes");
    expect(() => restore.output.parse(answer)).not.toThrow();
    expect(answer.erased).toEqual([
      expect.stringMatching(/^msg_[0-9a-f]{16}_2$/),
      expect.stringMatching(/^mem_/),
    ]);
    expect(answer.returned).toEqual([expect.stringMatching(/^conv_/)]);
    const content = await contentOf(place.store);
    for (const words of [SECRET, FACT]) expect(content).not.toContain(words);
    expect(content).toContain("goodbye");
    expect(await lcm([...there, "verify", "--erasure"])).toMatchObject({ code: 0 });
    const shown = await lcm([...there, "restore", backup, "--yes"], { folder });
    expect(shown.stdout).toContain(
      "Warning: the file contained items that were erased here; they were erased again:\n  msg_",
    );
  });

  it("brings it back where that is asked for, names it, and the check of erasures does too", async () => {
    const { erased, returned } = await run<Restored>("restore", backup, "--with-erased", "--yes");
    expect([erased, returned.length]).toEqual([[], 3]);
    expect(await contentOf(place.store)).toContain(SECRET);
    expect(await lcm([...there, "verify", "--erasure"])).toMatchObject({ code: 6 });
  });
});

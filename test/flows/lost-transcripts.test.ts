/** When the record of a transcript is lost, its lines still tell enough to write the file again. */
import { rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Engine, open } from "../../src/index.ts";
import { runOperation } from "../../src/operations/run-operation.ts";
import { verify } from "../../src/operations/store/verify.ts";
import { transcriptBytes } from "../../src/operations/transcript.ts";
import { archiveOf } from "../bad-input/archive-of.ts";
import { type Beside, beside } from "../beside-store.ts";
import { neutral, said } from "../cli/transcripts.ts";
import { ENGINES, type Place, temporaryFolder, temporaryPlace } from "../temporary-store.ts";

const FIRST = neutral("talk", [said("user", "What is new?", "m1"), said("assistant", "Nothing.", "m2")]);
const EDITED = FIRST.replace("Nothing.", "A great deal.");

describe.each(ENGINES)("transcripts whose record is lost on %s", (kind) => {
  let folder: string;
  let file: string;
  let place: Place;
  let engine: Engine;
  let other: Beside;
  let id: string;

  beforeEach(async () => {
    folder = temporaryFolder();
    file = path.join(folder, "talk.jsonl");
    place = await temporaryPlace(kind);
    engine = await open({ store: place.store, background: "off", config: { logLevel: "silent" } });
    for (const text of [FIRST, EDITED]) {
      writeFileSync(file, text);
      id = (await engine.context.conversations.import(file)).conversation ?? "";
    }
    other = await beside(kind, place.store);
  });

  afterEach(async () => {
    await other.close();
    await engine.close();
    await place.dispose();
    rmSync(folder, { recursive: true, force: true });
  });

  async function written(version?: number): Promise<string> {
    const pieces: Uint8Array[] = [];
    const input = { conversation: id, ...(version === undefined ? {} : { version }) };
    for await (const piece of transcriptBytes(engine, input)) pieces.push(piece);
    return Buffer.concat(pieces).toString();
  }

  async function repair() {
    const output = await runOperation(verify, engine, { repair: true });
    if (output.backup !== null) rmSync(output.backup);
    return output;
  }

  // promise: evident
  it.each([
    ["all of them", "1 = 1"],
    ["the first", "transcript = 1"],
    ["the second", "transcript = 2"],
  ])("are reported and put together again from their lines: %s", async (_, which) => {
    await other.query(`DELETE FROM conversation_bootstrap_state WHERE ${which}`);
    const { problems } = await runOperation(verify, engine, {});
    expect(problems).toContainEqual(
      expect.objectContaining({ conversation: id, check: "transcripts", repairable: true }),
    );
    expect(await repair()).toMatchObject({ ok: true, problems: [], lost: [] });
    expect([await written(1), await written(2)]).toEqual([FIRST, EDITED]);
    const again = await engine.context.conversations.import(file);
    expect(again).toMatchObject({ conversation: id, imported: 0 });
    expect(await written()).toBe(EDITED);
  });

  it("keep their lines in a backup", async () => {
    const linesIn = (archive: string) => archive.match(/^\{"row":"transcript-line".*$/gm);
    const before = linesIn(await archiveOf(engine.store, { withDamaged: true }));
    await other.query("DELETE FROM conversation_bootstrap_state");
    const archive = await archiveOf(engine.store, { withDamaged: true });
    expect(linesIn(archive)).toEqual(before);
    expect(archive).toContain('"problem":"transcript 1 is missing"');
  });

  it("stay reported when the lines before theirs are lost as well", async () => {
    await other.query("DELETE FROM conversation_bootstrap_state WHERE transcript = 1");
    await other.query("DELETE FROM transcript_lines WHERE transcript = 1");
    const { ok, problems } = await repair();
    expect(ok).toBe(false);
    expect(problems).toContainEqual(
      expect.objectContaining({
        message: "the first 2 lines of transcript 2 are missing",
        repairable: false,
      }),
    );
  });
});

import { rmSync } from "node:fs";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { checkIntegrity } from "../../src/context/verify/check-integrity.ts";
import { type Engine, open } from "../../src/index.ts";
import { REPEATED, times } from "../run-length.ts";
import { ENGINES, type Place, temporaryFolder, temporaryPlace } from "../temporary-store.ts";
import { type Action, APART, action } from "./actions.ts";
import type { FileChange, LineSeed } from "./file-changes.ts";
import { LibraryRun } from "./library-run.ts";

const RUNS = times({ short: 12, long: 400 });

describe.each(ENGINES)("any sequence of calls on %s", (name) => {
  let place: Place;
  let engine: Engine;
  let folder: string;
  let runs = 0;
  beforeAll(async () => {
    place = await temporaryPlace(name);
    folder = temporaryFolder();
    engine = await open({ store: place.store, config: APART });
  });
  afterAll(async () => {
    await engine.close();
    await place.dispose();
    rmSync(folder, { recursive: true, force: true });
  });

  it("leaves what a list in memory would hold", REPEATED, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(action, { minLength: 1, maxLength: 25 }), async (actions) => {
        // Each run has a tenant of its own: what it sees of the others would be a difference.
        const scope = { tenant: `run-${++runs}`, agent: "default" };
        const run = new LibraryRun(engine, scope, folder);
        for (const next of actions) await run.take(next);
        expect((await checkIntegrity(engine.store, { scope })).problems).toEqual([]);
      }),
      { numRuns: RUNS, examples: EXAMPLES.map((actions) => [actions]) },
    );
  });
});

/** Sequences that are easily got wrong, tried each time before the random ones. */
const OK: LineSeed = { kind: "message", text: "ok" };
const NO: LineSeed = { kind: "message", text: "no" };
const NAMED: LineSeed = { kind: "message with id", text: "yes" };
const VERSION: LineSeed = { kind: "another version", text: "" };
const EXAMPLES: Action[][] = [
  // A last line without its line feed goes, with and without something in its place.
  [file({ change: "tear", line: OK, at: 0 }), file({ change: "cut", at: 0 })],
  [file({ change: "tear", line: OK, at: 5 }), file({ change: "cut", at: 0 })],
  [file(grow(OK), { change: "tear", line: NO, at: 0 }), file({ change: "edit", at: 1, line: NO })],
  // The same words again, after the file was replaced, after they were erased, and after an edit took them out.
  [file(grow(NO)), file({ change: "rotate", keep: 0, lines: [OK] }), file(grow(NO))],
  [file(grow(OK, OK)), { do: "erase", target: 0, from: 0, length: 0 }, file(grow(OK))],
  [
    file(grow(OK, NO, OK)),
    file({ change: "edit", at: 1, line: NO }),
    file({ change: "cut", at: 1 }),
    file(grow(NO, OK)),
  ],
  // One id with other words in one file.
  [file(grow(VERSION, OK, VERSION))],
  // A last line without its line feed that is said again later.
  [file({ change: "tear", line: OK, at: 0 }), file({ change: "edit", at: 1, line: NO }, grow(OK))],
  // A file that was rotated while its last line was not finished.
  [file({ change: "tear", line: NO, at: 5 }), file({ change: "rotate", keep: 1, lines: [NO] })],
  [file({ change: "tear", line: NO, at: 0 }), file({ change: "rotate", keep: 1, lines: [NO] })],
  // A file that goes on after its conversation was archived.
  [file(grow(OK)), { do: "archive", target: 0 }, file(), file(grow(NO))],
  // An entry that is on record twice is erased, and the file becomes again what it was.
  [
    file(grow(NAMED, OK)),
    file({ change: "insert", at: 0, line: NO }),
    erase(2),
    file({ change: "restore", from: 0 }),
  ],
  // Another version of an erased entry gets another place.
  [file(grow(VERSION, VERSION)), erase(1), file({ change: "insert", at: 0, line: NO })],
  // One version is erased, and another takes its place; then the erased one does.
  [
    file(grow(VERSION)),
    file({ change: "edit", at: 1, line: VERSION }),
    erase(1),
    file({ change: "restore", from: 0 }),
    file({ change: "restore", from: 1 }),
  ],
  // A last line is erased before it has its line feed.
  [file({ change: "tear", line: OK, at: 0 }), erase(1), file({ change: "touch" }), file(grow(NO))],
  // All that is known of the old file is its last line, which lacked its line feed.
  [file({ change: "tear", line: OK, at: 0 }), erase(0), file({ change: "edit", at: 0, line: OK }, grow(NO))],
];

/** Erases the message of a line; the random numbers of an erasure count from the second one on. */
function erase(line: number): Action {
  return { do: "erase", target: 0, from: line === 0 ? 1 : line - 1, length: 0 };
}

function file(...changes: readonly FileChange[]): Action {
  return { do: "file", name: "f0", changes };
}

function grow(...lines: readonly LineSeed[]): FileChange {
  return { change: "grow", lines };
}

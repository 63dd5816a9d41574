/**
 * No edit goes unnoticed, and one damaged part does not block the rest. Faults are injected into images of a small
 * database: each is harmless, or reported, and takes no message with it that it has not hit.
 */
import { rmSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { seededRandom } from "../crash/seeded-random.ts";
import { recordFaults } from "../fault-table.ts";
import { REPEATED, times } from "../run-length.ts";
import { temporaryFolder } from "../temporary-store.ts";
import { FAULTS, judgeFault, makeSoundImage, type SoundImage } from "./image-faults.ts";

const folder = temporaryFolder();
let sound: SoundImage;

beforeAll(async () => {
  sound = await makeSoundImage(folder);
  expect(sound.examined.problems).toEqual([]);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** In parts, so that a run that is ended early has told something. */
const parts = Array.from({ length: times({ short: 1, long: 20 }) }, (_, index) => index + 1);

describe.each(parts)("a database with a fault, part %i", (part) => {
  // promise: evident
  it.each([
    ["a byte that is flipped", { short: 60, long: 470 }],
    ["a page of noise", { short: 10, long: 20 }],
    ["a file that is cut off", { short: 10, long: 20 }],
  ] as const)("survives %s", REPEATED, async (kind, counts) => {
    const random = seededRandom(`${kind} ${part}`);
    const problems: Record<"lost" | "unnoticed", string[]> = { lost: [], unnoticed: [] };
    const injected = times(counts);
    for (let round = 0; round < injected; round++) {
      const outcome = await judgeFault(sound, FAULTS[kind](sound.bytes, random));
      if (outcome.is !== "survived") problems[outcome.is].push(outcome.problem);
    }
    const [lost, unnoticed] = [problems.lost.length, problems.unnoticed.length];
    recordFaults(kind, { injected, survived: injected - lost - unnoticed, lost, unnoticed });
    expect(problems).toEqual({ lost: [], unnoticed: [] });
  });
});

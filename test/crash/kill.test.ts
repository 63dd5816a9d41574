import { randomBytes } from "node:crypto";
import { describe, expect, inject, it } from "vitest";
import { recordSurvived } from "../fault-table.ts";
import { REPEATED, times } from "../run-length.ts";
import { runCrashRounds } from "./run-crash-rounds.ts";
import { storeKinds } from "./store-kinds.ts";

/** Everything in a store is read after each kill: one that grows for ever takes most of the time. */
const ROUNDS = times({ short: 15, long: 25 });
/** On both stores in turn, so that a run that is ended early has told something. */
const parts = Array.from({ length: times({ short: 1, long: 24 }) }, (_, index) => index + 1);
const runs = parts.flatMap((part) =>
  storeKinds(inject("postgresUrl")).map((kind) => ({ part, kind, name: kind.name })),
);

describe.each(runs)("a process killed while it writes to $name, part $part", ({ kind }) => {
  it(
    "loses nothing that was acknowledged (promise: durable) and leaves nothing half done (promise: atomic)",
    REPEATED,
    async () => {
      const report = await runCrashRounds({ kind, rounds: ROUNDS, seed: randomBytes(4).toString("hex") });
      expect(report.rounds).toBe(ROUNDS);
      // Kills that hit nothing would prove nothing.
      expect(report.acknowledged).toBeGreaterThan(ROUNDS * 3);
      expect(report.inFlight).toBeGreaterThan(ROUNDS / 4);
      recordSurvived(`a kill while writing to ${kind.name}`, ROUNDS);
    },
  );
});

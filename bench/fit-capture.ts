/**
 * The weights by which capture without a model scores clauses (`src/memory/capture/statement-signs.ts`): fits them by
 * logistic regression to sentences of our own (`labels/statements.txt`) and to the labelled sessions for development, and
 * prints them beside the weights in use. Each session is scored with weights fitted without it, and each tenth of our own
 * sentences with weights fitted without that tenth.
 *
 *   node bench/fit-capture.ts [folder with transcripts] [--talk FILE]
 *
 * `--talk` names a question set of meetings, whose clauses count as not worth keeping, with a small weight.
 */
import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { standsAlone } from "../src/memory/capture/stands-alone.ts";
import { NAMES, SIGNS, signsOf } from "../src/memory/capture/statement-signs.ts";
import { type Clause, clausesIn, ownClauses, sessionClauses } from "./labels/labelled-clauses.ts";
import { readLabels } from "./labels/read-labels.ts";
import { figure, printTable } from "./measure.ts";
import { SESSIONS_FOLDER, sessionsIn } from "./real-sessions.ts";

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: { talk: { type: "string" } },
});
/** Talk counts little, since it is much. */
const WEIGHT = { own: 1, session: 1, talk: 0.02 } as const;
const EVERY_TALK = 6;
const DECAY = 1;
const ROUNDS = 400;
const STEP = 0.5;

interface Row extends Clause {
  readonly weight: number;
  /** Places of the signs that it has; the last place is the constant. */
  readonly places: readonly number[];
}

const CONSTANT = NAMES.length;

function rowOf(clause: Clause, weight: number): Row {
  return {
    ...clause,
    weight,
    places: [...signsOf(clause.text).map((name) => NAMES.indexOf(name)), CONSTANT],
  };
}

function fit(rows: readonly Row[]): readonly number[] {
  const weights = new Float64Array(CONSTANT + 1);
  const squares = new Float64Array(CONSTANT + 1).fill(1e-6);
  for (let round = 0; round < ROUNDS; round++) {
    const slope = weights.map((weight, place) => (place === CONSTANT ? 0 : DECAY * weight));
    for (const row of rows) {
      const error = (1 / (1 + Math.exp(-sumOf(row, weights))) - Number(row.isKept)) * row.weight;
      for (const place of row.places) slope[place] = (slope[place] ?? 0) + error;
    }
    for (const [place, one] of slope.entries()) {
      squares[place] = (squares[place] ?? 0) + one * one;
      weights[place] = (weights[place] ?? 0) - (STEP * one) / Math.sqrt(squares[place] ?? 1);
    }
  }
  return [...weights];
}

function sumOf({ places }: Row, weights: ArrayLike<number>): number {
  return places.reduce((sum, place) => sum + (weights[place] ?? 0), 0);
}

interface Scored {
  /** Without the constant, as the threshold in use. Clauses that do not stand alone are never captured. */
  readonly score: number;
  readonly isKept: boolean;
}

function crossValidated(rows: readonly Row[], foldOf: (row: Row) => string | number | null): Scored[] {
  const folds = new Set(rows.map(foldOf).filter((fold) => fold !== null));
  return [...folds].flatMap((fold) => {
    const weights = fit(rows.filter((row) => foldOf(row) !== fold));
    const tested = rows.filter((row) => foldOf(row) === fold);
    const scoreOf = (row: Row) => sumOf(row, weights) - (weights[CONSTANT] ?? 0);
    return tested.map((row) => ({
      score: standsAlone(row.text) ? scoreOf(row) : Number.NEGATIVE_INFINITY,
      isKept: row.isKept,
    }));
  });
}

function sharesAt(scored: readonly Scored[], least: number): string {
  const taken = scored.filter(({ score }) => score >= least);
  const right = taken.filter(({ isKept }) => isKept).length;
  const all = scored.filter(({ isKept }) => isKept).length;
  return `${(right / taken.length).toFixed(2)} / ${(right / all).toFixed(2)}`;
}

const sessions = new Map(sessionsIn(positionals[0] ?? SESSIONS_FOLDER).map((one) => [one.name, one]));
const rows: Row[] = ownClauses().map((clause) => rowOf(clause, WEIGHT.own));
for (const [name, marks] of readLabels()) {
  const session = sessions.get(name);
  if (session === undefined || marks.heldOut) continue;
  rows.push(...(await sessionClauses(session, marks)).map((clause) => rowOf(clause, WEIGHT.session)));
}
if (options.talk !== undefined) rows.push(...talkRows(options.talk));

function talkRows(file: string): Row[] {
  const set: { convs: { docs: { text: string }[] }[] } = JSON.parse(readFileSync(file, "utf8"));
  const clauses = set.convs.flatMap(({ docs }) => docs.flatMap(({ text }) => clausesIn(text)));
  return clauses
    .filter((_, place) => place % EVERY_TALK === 0)
    .map((text) => rowOf({ text, isKept: false, from: "talk" }, WEIGHT.talk));
}

const weights = fit(rows);
const bySession = crossValidated(rows, ({ from }) => (from === "own" || from === "talk" ? null : from));
const ownPlaces = new Map(rows.filter(({ from }) => from === "own").map((row, place) => [row, place % 10]));
const byTenth = crossValidated(rows, (row) => ownPlaces.get(row) ?? null);
printTable(
  ["sign", "in use", "fitted"],
  NAMES.map((name, place) => [name, figure(SIGNS[name][0]), figure(weights[place] ?? 0)]),
);
console.log(`constant ${figure(weights[CONSTANT] ?? 0)}`);
printTable(
  ["at least", "sessions, precision / recall", "own sentences"],
  [0.5, 0.75, 1, 1.25, 1.5, 2].map((least) => [
    `${least}`,
    sharesAt(bySession, least),
    sharesAt(byTenth, least),
  ]),
);

/**
 * Measures what the rules capture from real sessions, without a model, against labels made by a reader
 * (labels/README.md): precision and recall of each session, and of all sessions for development and all held-out ones.
 * Each session is imported into its own store and captured there. `labels/score-capture.ts` decides what counts.
 *
 *   node bench/capture.ts [folder with transcripts] [--show] [--held-out] [--talk FILE]
 *
 * `--held-out` also scores the held-out sessions. Each such look is recorded in labels/README.md, so that they are not used
 * for tuning.
 *
 * `--talk` names a question set of meetings, for example `qmsum_val.json`, in which every captured sentence counts as
 * noise: the bench reports how many are captured for each 1,000 turns.
 *
 * `--show` prints wrong memories and missed statements of the sessions for development. Text of held-out sessions is
 * never printed.
 */
import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { type Engine, type Memory, open } from "../src/index.ts";
import { captureByRules } from "../src/memory/capture/rules.ts";
import { isWorkTalk } from "../src/memory/capture/work-statements.ts";
import { type Label, locateLabels, readLabels } from "./labels/read-labels.ts";
import { type Score, scoreCapture } from "./labels/score-capture.ts";
import { checkLimit, DISK, finish, printTable, temporaryFolder } from "./measure.ts";
import { importSession, messagesOf, SESSIONS_FOLDER, type Session, sessionsIn } from "./real-sessions.ts";

const PRECISION = { atLeast: 0.8 };
const RECALL = { atLeast: 0.5 };
/** For each 1,000 turns of meetings, about as many as before statements about the work were captured. */
const NOISE = { atMost: 2 };

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    show: { type: "boolean", default: false },
    "held-out": { type: "boolean", default: false },
    talk: { type: "string" },
  },
});
const labelled = readLabels();
const sessions = new Map(sessionsIn(positionals[0] ?? SESSIONS_FOLDER).map((one) => [one.name, one]));

interface Outcome extends Score {
  readonly name: string;
  readonly heldOut: boolean;
}

async function measure(name: string): Promise<Outcome> {
  const session = sessions.get(name);
  const marks = labelled.get(name);
  if (session === undefined || marks === undefined)
    throw new Error(`${name} is labelled but not in the folder`);
  const engine = await open({
    store: temporaryFolder(DISK),
    background: "off",
    config: { autoCapture: false, logLevel: "error" },
  });
  try {
    const conversation = await conversationOf(engine, session);
    const labels: readonly Label[] = locateLabels(
      marks,
      session.file,
      await messagesOf(engine, conversation),
    );
    const memories = await captureAll(engine, conversation);
    return { name, heldOut: marks.heldOut, ...scoreCapture(memories, labels) };
  } finally {
    await engine.close();
  }
}

async function conversationOf(engine: Engine, session: Session): Promise<string> {
  const report = await importSession(engine, session);
  if (report?.conversation == null) throw new Error(`${session.name} was not imported`);
  return report.conversation;
}

/** Read again at the end: a statement that was repeated adds a source to its memory. */
async function captureAll(engine: Engine, conversation: string): Promise<Memory[]> {
  const ids = new Set<string>();
  for (let status = "captured"; status === "captured"; ) {
    const report = await engine.memory.capture({ conversation, flush: true });
    if (report.how !== "rules") throw new Error("a model is configured: this measures capture without one");
    for (const { id } of report.stored) ids.add(id);
    status = report.status;
  }
  return Promise.all([...ids].map((id) => engine.memory.get(id)));
}

/** Not a number when nothing was captured, or nothing is labelled. */
function sharesOf(outcomes: readonly Score[]) {
  const count = (key: keyof Score) => outcomes.reduce((sum, outcome) => sum + outcome[key].length, 0);
  const [right, wrong, found, missed] = [count("right"), count("wrong"), count("found"), count("missed")];
  return {
    precision: right / (right + wrong),
    recall: found / (found + missed),
    counts: [`${right + wrong}`, `${right}`, `${found + missed}`, `${found}`],
  };
}

function rowOf({ name, heldOut, ...score }: Outcome): string[] {
  const { precision, recall, counts } = sharesOf([score]);
  return [name, heldOut ? "held out" : "development", ...counts, share(precision), "", share(recall), ""];
}

function totalOf(part: string, outcomes: readonly Outcome[]): string[] {
  const { precision, recall, counts } = sharesOf(outcomes);
  const checked = [checkLimit(precision, PRECISION), checkLimit(recall, RECALL)] as const;
  return ["all", part, ...counts, share(precision), checked[0], share(recall), checked[1]];
}

function share(value: number): string {
  return Number.isNaN(value) ? "none" : value.toFixed(2);
}

function show({ name, wrong, missed }: Outcome): void {
  console.log(`\n${name}`);
  for (const { category, abstract } of wrong) console.log(`  wrong (${category}): ${abstract}`);
  for (const { seq, text } of missed) console.log(`  missed in message ${seq}: ${text}`);
}

/** Turns begin with the name of their speaker. */
const SPEAKER = /^[^:\n]{1,60}: /;

function measureTalk(file: string): void {
  const set: { convs: { docs: { text: string }[] }[] } = JSON.parse(readFileSync(file, "utf8"));
  let [turns, captured] = [0, 0];
  for (const { docs } of set.convs) {
    const texts = docs.map(({ text }) => text.replace(SPEAKER, ""));
    const isWork = isWorkTalk(texts);
    turns += texts.length;
    for (const text of texts) captured += captureByRules(text, isWork).candidates.length;
  }
  const noise = (captured / turns) * 1_000;
  printTable(
    ["talk", "turns", "captured", "for each 1,000", "limit"],
    [[file, `${turns}`, `${captured}`, noise.toFixed(1), checkLimit(noise, NOISE)]],
  );
}

const outcomes: Outcome[] = [];
for (const [name, { heldOut }] of labelled)
  if (!heldOut || options["held-out"]) outcomes.push(await measure(name));
const development = outcomes.filter(({ heldOut }) => !heldOut);
const heldOut = outcomes.filter((outcome) => outcome.heldOut);
printTable(
  ["session", "part", "captured", "right", "labels", "found", "precision", "limit", "recall", "limit"],
  [
    ...outcomes.map(rowOf),
    totalOf("development", development),
    ...(heldOut.length === 0 ? [] : [totalOf("held out", heldOut)]),
  ],
);
if (options.show) development.forEach(show);
if (options.talk !== undefined) measureTalk(options.talk);
finish();

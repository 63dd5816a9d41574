/**
 * Works on a SQLite store and notes how long its write-ahead log is each time something is acknowledged: what
 * was acknowledged at a length must be readable from any log that agrees with this one up to there.
 */
import { cpSync, globSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as delay } from "node:timers/promises";
import { type Engine, open } from "../../src/index.ts";
import { DATABASE_NAME } from "../../src/store/sqlite/index.ts";
import { type Answer, type Operation, perform } from "./operation.ts";
import { OperationChooser } from "./operation-chooser.ts";
import { seededRandom } from "./seeded-random.ts";
import { growTranscript, transcriptPath } from "./transcript-file.ts";

export interface LoggedStep {
  /** Steps of one wave were on their way at the same time; a wave began when the one before was acknowledged. */
  readonly wave: number;
  readonly operation: Operation;
  readonly answer: Answer;
  /** Length of the log when the caller heard of it. */
  readonly logSize: number;
}

export interface LogRecording {
  /** The database file, which does not change while the log is not written back. */
  readonly database: Buffer;
  readonly log: Buffer;
  /** In the order of their acknowledgements; those of the last wave were on their way when the log was copied. */
  readonly steps: readonly LoggedStep[];
}

export const WAVES = 20;

/** The store is left in `folder`/data, the transcripts in `folder`. */
export async function recordLog(folder: string, seed: string): Promise<LogRecording> {
  const dataDir = path.join(folder, "data");
  const file = path.join(dataDir, DATABASE_NAME);
  // Closing writes the schema from the log into the database.
  await (await open({ store: dataDir })).close();
  const database = readFileSync(file);
  const engine = await open({ store: dataDir });
  // An erasure empties the log, unless somebody reads what was there before.
  const reader = new DatabaseSync(file, { readOnly: true });
  reader.exec("BEGIN");
  reader.prepare("SELECT count(*) FROM messages").get();
  try {
    const recording = await record(engine, folder, seed, `${file}-wal`);
    if (!readFileSync(file).equals(database)) throw new Error("the log was written back: record fewer waves");
    return { ...recording, database };
  } finally {
    reader.close();
    await engine.close();
  }
}

/** Where contents of files stay that later operations remove: a log that is cut knows nothing of these operations. */
export const KEPT_CONTENTS = "kept";

function keepContents(folder: string): void {
  const files = path.join(folder, "data/files");
  for (const name of globSync("*/*.zst", { cwd: files }))
    cpSync(path.join(files, name), path.join(folder, KEPT_CONTENTS, name), { force: false, recursive: true });
}

async function record(
  engine: Engine,
  folder: string,
  seed: string,
  logFile: string,
): Promise<Omit<LogRecording, "database">> {
  const random = seededRandom(seed);
  const chooser = new OperationChooser(random, seed, []);
  const steps: LoggedStep[] = [];
  const run = async (operation: Operation, wave: number) => {
    if (operation.kind === "import")
      growTranscript(
        transcriptPath(folder, operation.transcript),
        operation.transcript,
        5,
        random.below(100),
      );
    const answer = await perform(engine, folder, operation);
    keepContents(folder);
    steps.push({ wave, operation, answer, logSize: statSync(logFile).size });
    chooser.learn(operation, answer);
  };
  const runWave = (wave: number) => Promise.all(chooser.nextWave().map((operation) => run(operation, wave)));
  for (let wave = 0; wave < WAVES; wave++) await runWave(wave);
  const ending = runWave(WAVES);
  await delay(random.below(8));
  const log = readFileSync(logFile);
  await ending;
  return { log, steps };
}

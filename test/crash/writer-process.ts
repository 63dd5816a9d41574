/**
 * The process that is killed. It loads everything, waits for its orders on standard input, opens the store and
 * works on it until it is ended. `about` is written before an operation starts, `done` once it is acknowledged.
 */
import { writeSync } from "node:fs";
import { flushCompileCache } from "node:module";
import { createInterface } from "node:readline";
import { type Engine, open } from "../../src/index.ts";
import { perform } from "./operation.ts";
import { type KnownConversation, OperationChooser } from "./operation-chooser.ts";
import { type SeededRandom, seededRandom } from "./seeded-random.ts";
import { growTranscript, transcriptPath } from "./transcript-file.ts";

export interface WriterOrders {
  readonly store: string;
  /** Folder of the transcripts. */
  readonly folder: string;
  readonly seed: string;
  /** Names the turns of this process. */
  readonly round: string;
}

async function work({ store, folder, seed, round }: WriterOrders): Promise<void> {
  const engine = await open({ store });
  const random = seededRandom(`${seed}:${round}`);
  const chooser = new OperationChooser(random, round, await readKnown(engine));
  for (let number = 0; ; )
    await Promise.all(
      chooser.nextWave().map(async (operation) => {
        if (operation.kind === "import") grow(folder, operation.transcript, random);
        const id = number++;
        say("about", id, operation);
        const answer = await perform(engine, folder, operation);
        say("done", id, answer);
        chooser.learn(operation, answer);
      }),
    );
}

/** At once and whole: what is written here before a kill is read after it. */
function say(what: "about" | "done", id: number, value: object): void {
  writeSync(1, `${what} ${id} ${JSON.stringify(value)}\n`);
}

function grow(folder: string, name: string, random: SeededRandom): void {
  const count = random.chance(0.05) ? 700 : 1 + random.below(10);
  const tornAt = random.chance(0.3) ? random.below(1_000) : null;
  growTranscript(transcriptPath(folder, name), name, count, tornAt);
}

async function readKnown({ context }: Engine): Promise<KnownConversation[]> {
  const { conversations } = await context.conversations.list({ archived: true });
  return Promise.all(
    conversations.map(async ({ id, sessionId, messageCount }) => {
      const { messages } = await context.read({ conversation: id, limit: 1, from: 1 });
      const turnKey = /^(.+)#\d+$/.exec(messages[0]?.key ?? "")?.[1] ?? null;
      return { id, session: sessionId, messages: messageCount, turnKey };
    }),
  );
}

// A killed process would not leave its compiled code to the next one.
flushCompileCache();
for await (const line of createInterface({ input: process.stdin })) {
  const orders: WriterOrders = JSON.parse(line);
  await work(orders);
}

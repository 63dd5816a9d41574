/** A folder of real transcripts, and the needles that must be found in them: exact strings, named by file. */
import { existsSync, globSync, readFileSync } from "node:fs";
import path from "node:path";
import { type Engine, type ImportReport, isPalimpsestError, type Message } from "../src/index.ts";

export const SESSIONS_FOLDER = "../shared/data/sessions";

export interface Session {
  /** Relative to the folder, as needles name it. */
  readonly name: string;
  readonly file: string;
  readonly needles: readonly string[];
}

export function sessionsIn(folder: string): Session[] {
  if (!existsSync(folder)) {
    console.error(`${folder} does not exist. Name a folder with transcripts.`);
    process.exit(2);
  }
  const needles = readNeedles(path.join(folder, "needles.jsonl"));
  const names = globSync("*/**/*.{json,jsonl}", { cwd: folder }).toSorted();
  return names.map((name) => ({
    name,
    file: path.join(folder, name),
    needles: needles.filter(({ file }) => file === name).map(({ needle }) => needle),
  }));
}

function readNeedles(file: string): { readonly file: string; readonly needle: string }[] {
  if (!existsSync(file)) return [];
  return readFileSync(file, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
}

/** Undefined for a file of a host that no reader knows. */
export async function importSession(engine: Engine, { file }: Session): Promise<ImportReport | undefined> {
  try {
    return await engine.context.conversations.import(file);
  } catch (error) {
    if (isPalimpsestError(error, "not-supported")) return undefined;
    throw error;
  }
}

export async function messagesOf(engine: Engine, conversation: string): Promise<Message[]> {
  const messages: Message[] = [];
  for (let from: number | null = 1; from !== null; ) {
    const page: Awaited<ReturnType<Engine["context"]["read"]>> = await engine.context.read({
      conversation,
      from,
    });
    messages.push(...page.messages);
    from = page.next;
  }
  return messages;
}

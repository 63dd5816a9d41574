/** The summaries that models wrote when a host compacted a session, with the messages that each of them replaced. */
import { readFileSync } from "node:fs";
import { type Engine, type Message, open } from "../../src/index.ts";
import { DISK, temporaryFolder } from "../measure.ts";
import { importSession, messagesOf, type Session } from "../real-sessions.ts";

export interface HostSummary {
  readonly session: string;
  /** 1 for the first compaction of a session. */
  readonly place: number;
  /** Without the sentences that the host put around it. */
  readonly text: string;
  readonly messages: readonly Message[];
}

/** When a host compacted, and from which moment on it kept messages as they were. */
interface Compaction {
  readonly text: string;
  readonly keptFrom: number;
}

const FRAME =
  /^This session is being continued from a previous conversation.*\n+|\n+If you need specific details from before compaction[\s\S]*$|\n+Please continue the conversation from where we left it off[\s\S]*$/g;

export async function hostSummaries(sessions: readonly Session[]): Promise<HostSummary[]> {
  const found: HostSummary[] = [];
  const engine = await open({ store: temporaryFolder(DISK) });
  for (const session of sessions) {
    const compactions = compactionsIn(session.file);
    if (compactions.length > 0) found.push(...(await spansOf(engine, session, compactions)));
  }
  await engine.close();
  return found;
}

async function spansOf(
  engine: Engine,
  session: Session,
  compactions: readonly Compaction[],
): Promise<HostSummary[]> {
  const conversation = (await importSession(engine, session))?.conversation ?? null;
  const messages = conversation === null ? [] : await messagesOf(engine, conversation);
  let from = 0;
  return compactions.map(({ text, keptFrom }, i) => {
    const span = messages.filter(({ createdAt, excluded }) => {
      const at = Date.parse(createdAt);
      return excluded === null && at >= from && at < keptFrom;
    });
    from = keptFrom;
    return { session: session.name, place: i + 1, text, messages: span };
  });
}

function compactionsIn(file: string): Compaction[] {
  if (!file.endsWith(".jsonl")) return [];
  const lines = readFileSync(file, "utf8").trim().split("\n").map(readLine);
  return lines.flatMap((line) => {
    const text = summaryIn(line);
    if (text === undefined) return [];
    // Some hosts keep the newest messages and name the first of them.
    const kept = typeof line.firstKeptEntryIndex === "number" ? lines[line.firstKeptEntryIndex] : line;
    return [{ text: text.replace(FRAME, "").trim(), keptFrom: Date.parse(`${kept?.timestamp}`) }];
  });
}

function readLine(line: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === "object" && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}

function summaryIn(line: Readonly<Record<string, unknown>>): string | undefined {
  if (line.type === "compaction" && typeof line.summary === "string") return line.summary;
  const message = line.isCompactSummary === true ? line.message : undefined;
  if (typeof message !== "object" || message === null || !("content" in message)) return undefined;
  return typeof message.content === "string" ? message.content : undefined;
}

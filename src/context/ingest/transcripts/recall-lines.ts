/** Passes the stored lines to an importer, so that it can continue after them. */
import type {
  PartIndex,
  ScopedStore,
  StoredConversation,
  StoredTranscriptLine,
  Transcript,
} from "../../../store/store.ts";
import type { Start } from "./choose-start.ts";
import type { LineImporter, ToolIds } from "./import-lines.ts";
import { storedLines } from "./stored-lines.ts";

/** Number of messages before a tool result that are searched for its call. */
const RECENT_MESSAGES = 200;
const NO_TOOLS: ToolIds = { toolCalls: [], toolResults: [] };

export interface Recalled {
  /** The highest seq among the lines; 0 if there are none. */
  readonly lastSeq: number;
  /** The content of an erased line is unknown, so the counts of occurrences are incomplete. */
  readonly hasErased: boolean;
  /** Number of lines that are messages. */
  readonly messages: number;
}

export async function recallLines(
  importer: LineImporter,
  store: ScopedStore,
  versions: readonly Transcript[],
  start: Start,
  conversation: StoredConversation | undefined,
  isTree: boolean,
  see: (line: StoredTranscriptLine) => void = () => {},
): Promise<Recalled> {
  if (start.base === null || conversation === undefined) return { lastSeq: 0, hasErased: false, messages: 0 };
  const tools = isTree ? await recentTools(store, conversation) : new Map<number, ToolIds>();
  let lastSeq = 0;
  let hasErased = false;
  let messages = 0;
  for await (const line of storedLines(store, versions, start.base, { upTo: start.line })) {
    see(line);
    importer.recall(line, tools.get(line.seq ?? 0) ?? NO_TOOLS);
    lastSeq = Math.max(lastSeq, line.seq ?? 0);
    if (line.seq !== null) messages++;
    hasErased ||= line.kind === "message" && line.hash === null;
  }
  return { lastSeq, hasErased, messages };
}

async function recentTools(
  store: ScopedStore,
  { id, messageCount }: StoredConversation,
): Promise<Map<number, ToolIds>> {
  const from = Math.max(1, messageCount - RECENT_MESSAGES + 1);
  const { rows } = await store.messages(id, { from, limit: RECENT_MESSAGES });
  return new Map(rows.map(({ seq, parts }) => [seq, toolsOf(parts)]));
}

function toolsOf(parts: readonly PartIndex[]): ToolIds {
  const ids = (isCall: boolean) =>
    parts
      .filter((part) => part.toolCallId !== null && (part.toolStatus === "pending") === isCall)
      .flatMap((part) => part.toolCallId ?? []);
  return { toolCalls: ids(true), toolResults: ids(false) };
}

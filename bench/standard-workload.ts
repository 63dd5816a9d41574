/**
 * The standard workload: conversations that are seeded and the same everywhere. Its generator lives outside the
 * repository and is shared with those who measure other systems; `--workload <file>` says where.
 */
import { fileURLToPath, pathToFileURL } from "node:url";

export const WORKLOAD_FILE = fileURLToPath(new URL("../../shared/bench/workload.mjs", import.meta.url));

export interface WorkloadMessage {
  readonly conv: string;
  readonly seq: number;
  readonly turn: number;
  readonly role: "user" | "assistant" | "tool";
  readonly text: string;
}

export type AgentBlock =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "toolCall"; readonly id: string; readonly name: string; readonly arguments: object };

/** A message as pi and OpenClaw have it. */
export interface AgentMessage {
  readonly role: "user" | "assistant" | "toolResult";
  readonly content: readonly AgentBlock[];
  readonly timestamp: number;
  readonly toolCallId?: string;
  readonly toolName?: string;
}

export interface WorkloadOptions {
  readonly seed?: number;
  readonly convs?: number;
  readonly messages: number;
}

interface WorkloadGenerator {
  workload(options: WorkloadOptions): Iterable<WorkloadMessage>;
  toAgentMessage(message: WorkloadMessage): AgentMessage;
  toSessionLine(message: WorkloadMessage, previous: string | null): { id: string; line: string };
  /** Bytes of text and tool arguments, without the JSON around them. */
  rawBytes(message: WorkloadMessage): number;
  queriesFor(options: WorkloadOptions): WorkloadQueries;
}

/** The search terms, and for rare ones how often they occur. */
export interface WorkloadQueries {
  readonly rare: readonly { readonly term: string; readonly at: readonly object[] }[];
  readonly cjkRare: readonly { readonly term: string; readonly at: readonly object[] }[];
  readonly common: readonly string[];
  readonly multi: readonly string[];
  readonly regexRare: readonly string[];
  readonly regexCommon: readonly string[];
}

export interface Turn {
  readonly key: string;
  readonly messages: readonly AgentMessage[];
}

export class StandardWorkload {
  readonly #generator: WorkloadGenerator;

  private constructor(generator: WorkloadGenerator) {
    this.#generator = generator;
  }

  static async load(file: string): Promise<StandardWorkload> {
    return new StandardWorkload(await import(pathToFileURL(file).href));
  }

  messages(options: WorkloadOptions): Iterable<WorkloadMessage> {
    return this.#generator.workload(options);
  }

  toAgentMessage(message: WorkloadMessage): AgentMessage {
    return this.#generator.toAgentMessage(message);
  }

  rawBytes(message: WorkloadMessage): number {
    return this.#generator.rawBytes(message);
  }

  queries(options: WorkloadOptions): WorkloadQueries {
    return this.#generator.queriesFor(options);
  }

  /** The messages of one conversation, turn by turn. */
  *turns(options: WorkloadOptions): Generator<Turn> {
    let messages: AgentMessage[] = [];
    let turn = 0;
    for (const message of this.messages(options)) {
      if (message.turn !== turn) {
        yield { key: `turn-${turn}`, messages };
        messages = [];
        turn = message.turn;
      }
      messages.push(this.toAgentMessage(message));
    }
    if (messages.length > 0) yield { key: `turn-${turn}`, messages };
  }

  /** The lines of a pi session file (version 3) that holds the workload. */
  *transcriptLines(sessionId: string, options: WorkloadOptions): Generator<string> {
    const timestamp = "2026-01-05T08:00:00.000Z";
    yield JSON.stringify({ type: "session", version: 3, id: sessionId, timestamp, cwd: "/bench" });
    let previous: string | null = null;
    for (const message of this.messages(options)) {
      const { id, line } = this.#generator.toSessionLine(message, previous);
      yield line;
      previous = id;
    }
  }
}

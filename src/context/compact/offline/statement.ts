/** The candidates of the offline summariser, and what it keeps beside the selected sentences. */
import type { Anchor } from "../anchors.ts";
import type { FileOperation } from "./file-operation.ts";

export type Speaker = "user" | "assistant" | "system" | "tool" | "thinking" | "";

/** Time and speaker of a line. Statements of one moment share a line of the summary. */
export interface Moment {
  readonly date: string;
  /** `HH:mm`, a part of the day, or empty. */
  readonly time: string;
  /** Lines of one period share the time of the first of them. Default: the time. */
  readonly period?: string;
  readonly speaker: Speaker;
}

/** One sentence that is selected or left out. */
export interface Statement {
  /** Position in the source; decides the order in the summary and every tie. */
  readonly index: number;
  /** Index into the moments. */
  readonly moment: number;
  readonly speaker: Speaker;
  readonly text: string;
  /** Worth by its place in the conversation, regardless of its text. */
  readonly standing: number;
  /** It replaces an earlier decision without saying so. */
  readonly replaces: boolean;
}

/** A statement with the facts derived from its text. */
export interface WeighedStatement extends Statement {
  /** Mask of `CUE`. */
  readonly cues: number;
  readonly anchors: readonly Anchor[];
  /** Each content term once. */
  readonly terms: readonly string[];
  /** Value of the statement alone, before repetitions are subtracted. */
  readonly salience: number;
  /** 1 for a full sentence, less for an exclamation or an announcement. */
  readonly fullness: number;
}

/** Something from a message or output that can be expanded later. */
export interface Topic {
  readonly index: number;
  readonly label: string;
  /** Size of the content that it refers to. */
  readonly weight: number;
}

export interface Digest {
  /** First and last moment, as local date and time. */
  readonly range: readonly [from: string, to: string];
  readonly moments: readonly Moment[];
  readonly statements: readonly Statement[];
  readonly files: readonly FileOperation[];
  /** Open tasks in the newest state of the agent's own plan. */
  readonly openTasks: readonly string[];
  /** Tasks that the plan marks as done, in the order of completion. */
  readonly doneTasks: readonly string[];
  readonly topics: readonly Topic[];
}

/** Thoughts repeat in other words what the agent says: they are kept only if nobody says anything else. */
export function withoutThoughts(statements: readonly Statement[]): readonly Statement[] {
  const isSaid = ({ speaker }: Statement) => speaker === "user" || speaker === "assistant" || speaker === "";
  return statements.some(isSaid) ? statements.filter(({ speaker }) => speaker !== "thinking") : statements;
}

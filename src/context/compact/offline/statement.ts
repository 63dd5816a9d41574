/** What the offline summariser chooses from, and what it keeps beside the chosen sentences. */
import type { Anchor } from "../anchors.ts";
import type { FileOperation } from "./file-operation.ts";

export type Speaker = "user" | "assistant" | "system" | "tool" | "thinking" | "";

/** When and by whom a line was said. Statements of one moment share a line of the summary. */
export interface Moment {
  readonly date: string;
  /** `HH:mm`, a part of the day, or empty. */
  readonly time: string;
  readonly speaker: Speaker;
}

/** One sentence that can be taken or left. */
export interface Statement {
  /** Place in the source; decides the order in the summary and every tie. */
  readonly index: number;
  /** Index into the moments. */
  readonly moment: number;
  readonly speaker: Speaker;
  readonly text: string;
  /** What the place in the conversation makes it worth, before a word is read. */
  readonly standing: number;
  /** It takes the place of an earlier decision, which its own words do not say. */
  readonly replaces: boolean;
}

/** A statement with what was read from its words. */
export interface WeighedStatement extends Statement {
  /** Mask of `CUE`. */
  readonly cues: number;
  readonly anchors: readonly Anchor[];
  /** Each content term once. */
  readonly terms: readonly string[];
  /** Value by itself, before what the others already say is taken off. */
  readonly salience: number;
  /** 1 for a full sentence, less for an exclamation and for what only announces something. */
  readonly fullness: number;
}

/** Something that was said or printed and could be asked for again. */
export interface Topic {
  readonly index: number;
  readonly label: string;
  /** Size of what stands behind it. */
  readonly weight: number;
}

export interface Digest {
  /** First and last moment, as local date and time. */
  readonly range: readonly [from: string, to: string];
  readonly moments: readonly Moment[];
  readonly statements: readonly Statement[];
  readonly files: readonly FileOperation[];
  /** What the agent's own plan leaves open, newest state only. */
  readonly openTasks: readonly string[];
  /** What it calls done, in the order in which it was. */
  readonly doneTasks: readonly string[];
  readonly topics: readonly Topic[];
}

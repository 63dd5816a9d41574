/** The types of integrity checking. `check-integrity.ts` lists the checks. */
import type {
  PartIndex,
  RestoredRow,
  ScopedStore,
  StoredConversation,
  StoredMessage,
  StoredTranscriptLine,
  StoredTurn,
  Transcript,
} from "../../store/store.ts";
import type { Scope } from "../../types.ts";

/**
 * Checks one conversation. Rows of each kind come in order, kinds in the order of the members; unneeded
 * members are omitted. Problems are reported as they are found.
 */
export interface ConversationCheck {
  message?(message: StoredMessage): void;
  turn?(turn: StoredTurn): void;
  transcript?(transcript: Transcript): void;
  transcriptLine?(line: StoredTranscriptLine): void;
  end?(): void;
}

export type IntegrityCheck = RowCheck | StoreCheck;

/** Checks rows in a shared pass, in which each row is read once. */
export interface RowCheck {
  readonly name: string;
  start(conversation: StoredConversation, report: ReportProblem): ConversationCheck;
}

/** Reads rows itself, because it compares rows that are far apart. */
export interface StoreCheck {
  readonly name: string;
  run(
    scoped: ScopedStore,
    conversation: StoredConversation,
    report: ReportProblem,
    findings: Findings,
  ): Promise<void>;
}

/** Findings about one conversation for later checks. */
export interface Findings {
  /** Every message is present and unchanged: data derived from messages can be dropped without loss. */
  readonly chainHolds: boolean;
  /** Summaries that a repair removes, and all derived from them: none of them may be in the context. */
  readonly unfit: Set<string>;
}

export type ReportProblem = (problem: {
  readonly seq?: number;
  /** The last of several missing messages. */
  readonly last?: number;
  readonly message: string;
  readonly repair?: RepairAction;
}) => void;

export interface Problem {
  readonly check: string;
  readonly conversation: string | null;
  readonly tenant: string | null;
  readonly agent: string | null;
  readonly seq: number | null;
  /** The last of several missing messages. */
  readonly last?: number;
  readonly message: string;
  /** A repair without loss; null if only a backup helps. */
  readonly repair: RepairAction | null;
}

export type RepairAction =
  | { readonly kind: "rewrite-parts"; readonly seq: number; readonly parts: readonly PartIndex[] }
  | {
      readonly kind: "restore-message";
      readonly seq: number;
      readonly content: string | Uint8Array;
      /** Null if only the content is damaged. */
      readonly row: RestoredRow | null;
      readonly from: string;
    }
  | { readonly kind: "restore-transcripts" }
  | { readonly kind: "add-context-item"; readonly seq: number }
  | { readonly kind: "add-context-summary"; readonly summary: string }
  | { readonly kind: "recount-context" }
  | { readonly kind: "drop-context-item"; readonly ordinal: number }
  | { readonly kind: "erase-summary"; readonly summary: string }
  | { readonly kind: "drop-summary"; readonly summary: string }
  | { readonly kind: "forget-missing-summaries" }
  | { readonly kind: "drop-segment"; readonly segment: number };

export interface IntegrityReport {
  readonly ok: boolean;
  readonly conversations: number;
  readonly messages: number;
  readonly summaries: number;
  readonly problems: readonly Problem[];
}

export interface ConversationPlace extends Scope {
  readonly conversation: string;
}

/** The words of integrity checking. `check-integrity.ts` lists the checks. */
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
 * Looks at one conversation. Rows of each kind come in order, kinds in the order of the members; what is not
 * needed is left out. Problems are reported as they are found.
 */
export interface ConversationCheck {
  message?(message: StoredMessage): void;
  turn?(turn: StoredTurn): void;
  transcript?(transcript: Transcript): void;
  transcriptLine?(line: StoredTranscriptLine): void;
  end?(): void;
}

export type IntegrityCheck = RowCheck | StoreCheck;

/** Looks at rows as they come by, each read once for all such checks. */
export interface RowCheck {
  readonly name: string;
  start(conversation: StoredConversation, report: ReportProblem): ConversationCheck;
}

/** Reads by itself, because it compares rows that lie far from each other. */
export interface StoreCheck {
  readonly name: string;
  run(
    scoped: ScopedStore,
    conversation: StoredConversation,
    report: ReportProblem,
    findings: Findings,
  ): Promise<void>;
}

/** What checks of one conversation leave for those behind them. */
export interface Findings {
  /** Every message is there and as it was stored: what was made from messages can be given up without loss. */
  readonly chainHolds: boolean;
  /** Summaries that a repair takes back, and all that were made from them: none of them may stand in the context. */
  readonly unfit: Set<string>;
}

export type ReportProblem = (problem: {
  readonly seq?: number;
  /** Where messages are missing: the last of them. */
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
  /** Where messages are missing: the last of them. */
  readonly last?: number;
  readonly message: string;
  /** What would mend it without loss; null when only a backup can. */
  readonly repair: RepairAction | null;
}

export type RepairAction =
  | { readonly kind: "rewrite-parts"; readonly seq: number; readonly parts: readonly PartIndex[] }
  | {
      readonly kind: "restore-message";
      readonly seq: number;
      readonly content: string | Uint8Array;
      /** Null where only the content is damaged. */
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

/** The words of integrity checking. A stage that keeps something registers a check for it. */
import type {
  ContextItem,
  PartIndex,
  StoredConversation,
  StoredMessage,
  StoredSummary,
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
  summary?(summary: StoredSummary): void;
  contextItem?(item: ContextItem): void;
  turn?(turn: StoredTurn): void;
  transcript?(transcript: Transcript): void;
  transcriptLine?(line: StoredTranscriptLine): void;
  end?(): void;
}

export interface IntegrityCheck {
  readonly name: string;
  start(conversation: StoredConversation, report: ReportProblem): ConversationCheck;
}

export type ReportProblem = (problem: {
  readonly seq?: number;
  readonly message: string;
  readonly repair?: RepairAction;
}) => void;

export interface Problem {
  readonly check: string;
  readonly conversation: string | null;
  readonly tenant: string | null;
  readonly agent: string | null;
  readonly seq: number | null;
  readonly message: string;
  /** What would mend it without loss; null when only a backup can. */
  readonly repair: RepairAction | null;
}

export type RepairAction =
  | { readonly kind: "rewrite-parts"; readonly seq: number; readonly parts: readonly PartIndex[] }
  | { readonly kind: "add-context-item"; readonly seq: number }
  | { readonly kind: "drop-context-item"; readonly ordinal: number };

export interface IntegrityReport {
  readonly ok: boolean;
  readonly conversations: number;
  readonly messages: number;
  readonly problems: readonly Problem[];
}

export interface ConversationPlace extends Scope {
  readonly conversation: string;
}

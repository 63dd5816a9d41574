/** Checks that every line of every transcript is present with its original bytes. */
import { unversionedKey } from "../../store/seal.ts";
import type {
  StoredConversation,
  StoredMessage,
  StoredTranscriptLine,
  Transcript,
} from "../../store/store.ts";
import { sha256 } from "../../text/bytes.ts";
import { counted } from "../../text/counted.ts";
import { contentKey } from "../ingest/transcripts/import-lines.ts";
import type { ConversationCheck, ReportProblem, RowCheck } from "./integrity.ts";

export const checkTranscripts: RowCheck = {
  name: "transcripts",
  start: (conversation, report) => new TranscriptCheck(conversation, report),
};

class TranscriptCheck implements ConversationCheck {
  readonly #report: ReportProblem;
  readonly #messageCount: number;
  readonly #transcripts = new Map<number, Transcript>();
  readonly #nextLine = new Map<number, number>();
  /** Key and hash of each imported message; the hash is null for erased ones. */
  readonly #originals = new Map<number, { readonly key: string; readonly hash: string | null }>();

  constructor(conversation: StoredConversation, report: ReportProblem) {
    this.#report = report;
    this.#messageCount = conversation.messageCount;
  }

  message({ seq, key, format, content, erasedAt }: StoredMessage): void {
    if (format === "message" || format === "message+binary") return;
    if (erasedAt !== null && content !== null)
      this.#report({ seq, message: "it is marked as erased, and has its content" });
    this.#originals.set(seq, { key, hash: content === null ? null : sha256(content) });
  }

  transcript(transcript: Transcript): void {
    this.#transcripts.set(transcript.number, transcript);
    this.#nextLine.set(transcript.number, transcript.sharedLines);
  }

  transcriptLine(line: StoredTranscriptLine): void {
    const expected = this.#nextLine.get(line.transcript);
    if (expected !== line.line)
      this.#report({ message: `line ${line.line + 1} of transcript ${line.transcript} is out of place` });
    this.#nextLine.set(line.transcript, line.line + 1);
    if (line.kind === "message") this.#checkMessageLine(line);
    else if (line.content !== null && line.hash !== null && sha256(line.content) !== line.hash)
      this.#report({
        message: `line ${line.line + 1} of transcript ${line.transcript} has changed (hash mismatch)`,
      });
  }

  #checkMessageLine({ line, transcript, seq, hash, entryKey }: StoredTranscriptLine): void {
    const original = seq === null ? undefined : this.#originals.get(seq);
    if (seq === null || seq > this.#messageCount || original === undefined)
      this.#report({
        message: `line ${line + 1} of transcript ${transcript} points to a message that does not exist`,
      });
    // The lines of an erased message have lost their hashes.
    else if (hash !== null && original.hash === null)
      this.#report({
        seq,
        message: `line ${line + 1} of transcript ${transcript} has it, and was not erased`,
      });
    else if (hash !== null && original.hash !== hash)
      this.#report({ seq, message: `it does not match line ${line + 1} of transcript ${transcript}` });
    else if (hash !== null && !isKeyOf(original.key, entryKey, hash))
      this.#report({ seq, message: `its key does not match line ${line + 1} of transcript ${transcript}` });
  }

  end(): void {
    for (const { number, lineCount, previous, sharedLines } of this.#transcripts.values()) {
      const before = previous === null ? undefined : this.#transcripts.get(previous);
      if (sharedLines > (before?.lineCount ?? 0))
        this.#report({ message: `the first ${sharedLines} lines of transcript ${number} are missing` });
      const found = this.#nextLine.get(number) ?? 0;
      if (found !== lineCount)
        this.#report({
          message: `transcript ${number} should have ${counted(lineCount, "line")} and has ${found}`,
        });
    }
  }
}

function isKeyOf(key: string, entryKey: string | null, hash: string): boolean {
  if (entryKey === null)
    return unversionedKey(key).replace(/\d+$/, "") === contentKey(hash, 1).replace(/\d+$/, "");
  return key === entryKey || unversionedKey(key) === entryKey;
}

/** Every line of every transcript is there, and its bytes are those that were read. */
import type {
  StoredConversation,
  StoredMessage,
  StoredTranscriptLine,
  Transcript,
} from "../../store/store.ts";
import { counted } from "../../text/counted.ts";
import { sha256 } from "../../text/hash.ts";
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
  /** Hash of each imported message's original; empty for erased ones. */
  readonly #originals = new Map<number, string>();

  constructor(conversation: StoredConversation, report: ReportProblem) {
    this.#report = report;
    this.#messageCount = conversation.messageCount;
  }

  message({ seq, format, content }: StoredMessage): void {
    if (format === "message" || format === "message+binary") return;
    this.#originals.set(seq, content === null ? "" : sha256(content));
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
        message: `line ${line.line + 1} of transcript ${line.transcript} is not what was read`,
      });
  }

  #checkMessageLine({ line, transcript, seq, hash }: StoredTranscriptLine): void {
    const original = seq === null ? undefined : this.#originals.get(seq);
    if (seq === null || seq > this.#messageCount || original === undefined)
      this.#report({
        message: `line ${line + 1} of transcript ${transcript} points to a message that does not exist`,
      });
    else if (hash !== null && original !== "" && original !== hash)
      this.#report({ seq, message: `it is not what line ${line + 1} of transcript ${transcript} was` });
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

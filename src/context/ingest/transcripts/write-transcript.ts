/** Exports a host's transcript byte for byte, as it was last read; a damaged line is reported. */
import type { z } from "zod";
import { PalimpsestError } from "../../../errors.ts";
import type { ScopedStore, StoredTranscriptLine, Transcript } from "../../../store/store.ts";
import { sha256 } from "../../../text/bytes.ts";
import { counted } from "../../../text/counted.ts";
import type { transcriptInput } from "../../inputs.ts";
import { requireConversation } from "../../read/read-messages.ts";
import { storedLines } from "./stored-lines.ts";

export type TranscriptInput = z.input<typeof transcriptInput>;

const LINE_FEED = Buffer.from("\n");

/** The version with this number, or the newest. */
export async function* writeTranscript(
  store: ScopedStore,
  input: TranscriptInput,
): AsyncIterable<Uint8Array> {
  const { id } = await requireConversation(store, input.conversation);
  const versions = await store.transcripts(id);
  const version =
    input.version === undefined ? versions.at(-1) : versions.find(({ number }) => number === input.version);
  if (version === undefined) throw missing(id, versions, input.version);
  const originals = new OriginalReader(store, id);
  const changed: number[] = [];
  for await (const line of storedLines(store, versions, version, { withContent: true })) {
    const content = line.content ?? (line.seq === null ? "" : await originals.read(line.seq));
    if (line.hash !== null && sha256(content) !== line.hash) changed.push(line.line + 1);
    yield typeof content === "string" ? Buffer.from(content, "utf8") : content;
    if (isTerminated(version, line)) yield LINE_FEED;
  }
  if (changed.length > 0) throw notWhatWasRead(id, version, changed);
}

/** Thrown after the last byte, so that a reader of the stream has received everything available. */
function notWhatWasRead(id: string, { number }: Transcript, lines: readonly number[]): PalimpsestError {
  const [first] = lines;
  const others = lines.length === 1 ? "" : ` and ${counted(lines.length - 1, "other line")}`;
  return new PalimpsestError(
    "store-corrupt",
    `line ${first}${others} of transcript ${number} of ${id} differs from the imported line`,
    { advice: "If the host's file still has it, restore it with: lcm verify repair=true" },
  );
}

function missing(id: string, versions: readonly Transcript[], wanted: number | undefined): PalimpsestError {
  if (versions.length === 0 || wanted === undefined)
    return new PalimpsestError("not-found", `${id} has no transcript`, {
      advice: "Only conversations that were imported from a file have one.",
    });
  const numbers = versions.map(({ number }) => number).join(", ");
  return new PalimpsestError("not-found", `${id} has no version ${wanted} of its transcript`, {
    advice: `On record: ${numbers}. See them with: lcm transcript ${id} versions=true`,
  });
}

/** Only the last line can lack its line feed. */
function isTerminated(version: Transcript, line: StoredTranscriptLine): boolean {
  return line.line < version.lineCount - 1 || version.offset === version.size;
}

/** Reads originals a page ahead: lines mostly follow the order of messages. */
class OriginalReader {
  readonly #store: ScopedStore;
  readonly #conversation: string;
  #page = new Map<number, string | Uint8Array>();

  constructor(store: ScopedStore, conversation: string) {
    this.#store = store;
    this.#conversation = conversation;
  }

  async read(seq: number): Promise<string | Uint8Array> {
    if (!this.#page.has(seq)) {
      const page = await this.#store.messages(this.#conversation, { from: seq, limit: 200 });
      this.#page = new Map(page.rows.map((message) => [message.seq, message.content ?? ""]));
    }
    return this.#page.get(seq) ?? "";
  }
}

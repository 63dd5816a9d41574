/** Chooses what the killed process does next: seeded, and by what it knows of the store. */
import type { Answer, Operation } from "./operation.ts";
import type { SeededRandom } from "./seeded-random.ts";

export interface KnownConversation {
  readonly id: string;
  readonly session: string;
  messages: number;
  /** A turn of it that can be committed again. */
  turnKey: string | null;
}

const SESSIONS = ["s0", "s1", "s2", "s3", "s4"];
export const TRANSCRIPTS: readonly string[] = ["t0", "t1"];
/** Above these, deleting wins over adding, so that a run of any length stays small enough to be checked whole. */
const ENOUGH_CONVERSATIONS = 12;
const ENOUGH_MESSAGES = 400;

export class OperationChooser {
  readonly #random: SeededRandom;
  readonly #round: string;
  readonly #known: Map<string, KnownConversation>;
  #turns = 0;

  constructor(random: SeededRandom, round: string, known: readonly KnownConversation[]) {
    this.#random = random;
    this.#round = round;
    this.#known = new Map(known.map((conversation) => [conversation.id, conversation]));
  }

  /**
   * One to six operations to do at the same time. What changes a conversation as a whole is alone on its
   * session, so that the order of what was done is known; turns share theirs.
   */
  nextWave(): Operation[] {
    const wave: Operation[] = [];
    const taken = new Map<string, "shared" | "alone">();
    for (let more = 1 + this.#random.below(6); more > 0; more--) {
      const { operation, session } = this.#choose();
      const isShared = operation.kind === "commit" || operation.kind === "replay";
      const other = taken.get(session);
      if (other === "alone" || (other === "shared" && !isShared)) continue;
      taken.set(session, isShared ? "shared" : "alone");
      wave.push(operation);
    }
    return wave;
  }

  /** Takes note of what was done. */
  learn(operation: Operation, answer: Answer): void {
    if (answer.kind === "placed" && operation.kind === "commit")
      this.#learnOf(answer.conversation, operation.session, Math.max(...answer.seqs), operation.key);
    if (answer.kind === "read" && operation.kind === "import")
      this.#learnOf(answer.conversation, operation.transcript, 1, null);
    if (operation.kind === "delete" || operation.kind === "discard")
      this.#known.delete(operation.conversation);
  }

  #learnOf(id: string, session: string, messages: number, turnKey: string | null): void {
    const known = this.#known.get(id) ?? { id, session, messages: 0, turnKey };
    known.messages = Math.max(known.messages, messages);
    if (turnKey !== null && this.#random.chance(0.5)) known.turnKey = turnKey;
    this.#known.set(id, known);
  }

  #choose(): { operation: Operation; session: string } {
    const random = this.#random;
    const known = [...this.#known.values()];
    const share = random.below(100);
    if (known.length === 0 || share < 50) return this.#commit(random.pick(SESSIONS));
    if (share < 60) return importing(random.pick(TRANSCRIPTS));
    const conversation = random.pick(known);
    const isEnough = known.length > ENOUGH_CONVERSATIONS || conversation.messages > ENOUGH_MESSAGES;
    if (isEnough && share >= 80) return removing(conversation);
    return { operation: this.#changeOf(conversation, share), session: conversation.session };
  }

  #commit(session: string): { operation: Operation; session: string } {
    return { operation: { kind: "commit", session, key: `${this.#round}-${this.#turns++}` }, session };
  }

  #changeOf({ id, session, messages, turnKey }: KnownConversation, share: number): Operation {
    const isTranscript = TRANSCRIPTS.includes(session);
    if (share < 73 && turnKey !== null) return { kind: "replay", conversation: id, key: turnKey };
    if (share < 79) return { kind: "rename", conversation: id, title: `title ${this.#random.below(1e6)}` };
    if (share < 83) return { kind: "clear", conversation: id };
    // A transcript's conversation keeps its words and its place, so that the file can be compared with it.
    if (share < 98 && isTranscript) return importing(session).operation;
    if (share < 90 && messages > 0) return this.#erase(id, messages);
    if (share < 93) return { kind: "archive", conversation: id };
    if (share < 96) return { kind: "unarchive", conversation: id };
    if (share < 98) return { kind: "retire", conversation: id };
    return removing({ id, session }).operation;
  }

  #erase(conversation: string, messages: number): Operation {
    const from = 1 + this.#random.below(messages);
    return { kind: "erase", conversation, from, to: Math.min(messages, from + this.#random.below(4)) };
  }
}

function importing(transcript: string): { operation: Operation; session: string } {
  return { operation: { kind: "import", transcript }, session: transcript };
}

function removing({ id, session }: Pick<KnownConversation, "id" | "session">) {
  const operation: Operation = TRANSCRIPTS.includes(session)
    ? { kind: "discard", conversation: id, transcript: session }
    : { kind: "delete", conversation: id };
  return { operation, session };
}

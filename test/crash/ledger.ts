/**
 * What the store must hold after everything that was acknowledged. Kept by the process that survives; every
 * answer that could not have been given is an error here already.
 */
import type { Answer, Operation } from "./operation.ts";
import { saidUnderKey } from "./said-under-key.ts";
import { messageLinesWithin } from "./transcript-file.ts";

export interface ExpectedMessage {
  /** Null where the key follows from the content. */
  readonly key: string | null;
  /** The message as it was given, or the transcript's line. */
  readonly said: object | string;
  excluded: "reset" | "erased" | null;
}

export interface ExpectedConversation {
  readonly id: string;
  readonly session: string;
  title: string | null;
  archived: boolean;
  /** By seq. */
  readonly messages: Map<number, ExpectedMessage>;
  /** How much of its transcript is on record; null when it has none. */
  characters: number | null;
}

export class Ledger {
  readonly conversations = new Map<string, ExpectedConversation>();

  apply(operation: Operation, answer: Answer): void {
    if (answer.kind === "refused") this.#requireReason(operation);
    else if (answer.kind === "placed") this.#place(operation, answer);
    else if (answer.kind === "read") this.#extend(operation, answer);
    else this.#change(operation);
  }

  #place(operation: Operation, { conversation, seqs }: Extract<Answer, { kind: "placed" }>): void {
    if (operation.kind !== "commit" && operation.kind !== "replay") throw unexpected(operation);
    if (operation.kind === "replay" && operation.conversation !== conversation) throw unexpected(operation);
    const session = operation.kind === "commit" ? operation.session : "";
    const target = this.#get(conversation, session);
    const said = saidUnderKey(operation.key);
    if (said.length !== seqs.length) throw new Error(`${operation.key} was acknowledged in part`);
    said.forEach((message, index) => {
      putOnce(target, seqs[index] ?? 0, `${operation.key}#${index}`, message);
    });
  }

  #extend(operation: Operation, { conversation, characters }: Extract<Answer, { kind: "read" }>): void {
    if (operation.kind !== "import") throw unexpected(operation);
    const target = this.#get(conversation, operation.transcript);
    if (characters < (target.characters ?? 0)) throw new Error(`${conversation} lost part of its transcript`);
    target.characters = characters;
    const lines = messageLinesWithin(operation.transcript, characters);
    for (const line of lines.slice(target.messages.size))
      target.messages.set(target.messages.size + 1, { key: null, said: line, excluded: null });
  }

  #change(operation: Operation): void {
    if (operation.kind === "commit" || operation.kind === "import") throw unexpected(operation);
    const target = this.conversations.get(operation.conversation);
    if (target === undefined) throw unexpected(operation);
    switch (operation.kind) {
      case "rename":
        target.title = operation.title;
        break;
      case "erase":
        for (const message of inRange(target, operation)) message.excluded = "erased";
        break;
      case "clear":
        for (const message of target.messages.values()) message.excluded ??= "reset";
        break;
      case "archive":
      case "retire":
        target.archived = true;
        break;
      case "unarchive":
        target.archived = false;
        break;
      case "delete":
      case "discard":
        this.conversations.delete(target.id);
        break;
      default:
        throw unexpected(operation);
    }
  }

  /** A refusal is right only when there was nothing to do, or when it would have hidden another conversation. */
  #requireReason(operation: Operation): void {
    if (operation.kind === "commit" || operation.kind === "import") throw unexpected(operation);
    const target = this.conversations.get(operation.conversation);
    if (target === undefined) return;
    const isErased =
      operation.kind === "erase" &&
      inRange(target, operation).every((message) => message.excluded === "erased");
    const isTaken = operation.kind === "unarchive" && this.activeOf(target.session) !== undefined;
    if (!isErased && !isTaken) throw unexpected(operation);
  }

  activeOf(session: string): ExpectedConversation | undefined {
    return [...this.conversations.values()].find(
      (conversation) => conversation.session === session && !conversation.archived,
    );
  }

  #get(id: string, session: string): ExpectedConversation {
    const known = this.conversations.get(id);
    if (known !== undefined) return known;
    if (session === "") throw new Error(`${id} came back`);
    if (this.activeOf(session) !== undefined) throw new Error(`${session} has two active conversations`);
    const created: ExpectedConversation = {
      id,
      session,
      title: null,
      archived: false,
      messages: new Map(),
      characters: null,
    };
    this.conversations.set(id, created);
    return created;
  }
}

function putOnce(target: ExpectedConversation, seq: number, key: string, said: object): void {
  const there = target.messages.get(seq);
  if (there !== undefined && there.key !== key) throw new Error(`${there.key} and ${key} have one seq`);
  if (there !== undefined) return;
  for (const [other, message] of target.messages)
    if (message.key === key) throw new Error(`${key} is doubled: at ${other} and at ${seq}`);
  target.messages.set(seq, { key, said, excluded: null });
}

export function inRange(
  { messages }: ExpectedConversation,
  range: { readonly from: number; readonly to: number },
): ExpectedMessage[] {
  return [...messages].flatMap(([seq, message]) => (seq >= range.from && seq <= range.to ? [message] : []));
}

function unexpected(operation: Operation): Error {
  return new Error(`this answer cannot be: ${JSON.stringify(operation)}`);
}

/** A store as plain lists: what the library must answer and hold after any sequence of calls. */
import type { ExclusionReason } from "../../src/index.ts";
import { type ModelTranscript, NO_TRANSCRIPT } from "./transcript-model.ts";

export interface ModelMessage {
  readonly key: string;
  readonly said: object;
  excluded: ExclusionReason | null;
}

export interface ModelConversation {
  readonly id: string;
  readonly session: string;
  title: string | null;
  archived: boolean;
  /** What was committed by turns; empty for a transcript's conversation. */
  readonly messages: ModelMessage[];
  readonly turns: Map<string, readonly string[]>;
  /** Null unless it was imported. */
  transcript: ModelTranscript | null;
  /** How often each line must be on record: as often as it stood in one file at a time. */
  readonly imported: Map<string, number>;
}

export interface NewTurn {
  readonly key: string;
  readonly messages: readonly { readonly key: string; readonly said: object }[];
}

export type TurnOutcome = "committed" | "duplicate" | "conflict";

export class Model {
  readonly conversations: ModelConversation[] = [];

  active(session: string): ModelConversation | undefined {
    return this.conversations.find(
      (conversation) => conversation.session === session && !conversation.archived,
    );
  }

  create(id: string, session: string): ModelConversation {
    const created: ModelConversation = {
      id,
      session,
      title: null,
      archived: false,
      messages: [],
      turns: new Map(),
      transcript: null,
      imported: new Map(),
    };
    this.conversations.push(created);
    return created;
  }

  remove(conversation: ModelConversation): void {
    this.conversations.splice(this.conversations.indexOf(conversation), 1);
  }
}

/** What committing the turn must answer. `isSame` compares what was said; erased words equal anything. */
export function outcomeOf(turn: NewTurn, conversation: ModelConversation | undefined): TurnOutcome {
  const keys = turn.messages.map((message) => message.key);
  const known = conversation?.turns.get(turn.key);
  if (known !== undefined && known.join() !== keys.join()) return "conflict";
  const seen = new Map(conversation?.messages.map((message) => [message.key, message]));
  for (const { key, said } of turn.messages) {
    const there = seen.get(key);
    if (there !== undefined && there.excluded !== "erased" && there.said !== said) return "conflict";
    seen.set(key, there ?? { key, said, excluded: null });
  }
  return known === undefined ? "committed" : "duplicate";
}

/** Adds what is new of a turn that was accepted. */
export function addTurn(turn: NewTurn, conversation: ModelConversation): void {
  conversation.turns.set(
    turn.key,
    turn.messages.map((message) => message.key),
  );
  for (const { key, said } of turn.messages)
    if (!conversation.messages.some((message) => message.key === key))
      conversation.messages.push({ key, said, excluded: null });
}

export function transcriptOf(conversation: ModelConversation | undefined): ModelTranscript {
  return conversation?.transcript ?? NO_TRANSCRIPT;
}

/** A store as plain lists: what the library must answer and hold after any sequence of calls. */
import type { ExclusionReason } from "../../src/types.ts";
import { type ModelLine, type ModelTranscript, NO_TRANSCRIPT, readAgain } from "./transcript-model.ts";

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
  /** Ids of messages that were erased. */
  readonly erasedIds: Set<string>;
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

  /** Where a session's file goes on: where it was read to, also when that was archived since. */
  readInto(session: string): ModelConversation | undefined {
    const ofFile = this.conversations.find(
      (conversation) => conversation.session === session && conversation.transcript !== null,
    );
    return ofFile ?? this.active(session);
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
      erasedIds: new Set(),
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

/** The conversation's file was read again. */
export function readFile(conversation: ModelConversation, lines: readonly ModelLine[]): void {
  conversation.transcript = fileRead(conversation, lines);
  const counts = new Map<string, number>();
  for (const { text, isMessage, erased } of conversation.transcript.lines)
    if (isMessage && !erased) counts.set(text, (counts.get(text) ?? 0) + 1);
  const { imported } = conversation;
  for (const [text, count] of counts) imported.set(text, Math.max(imported.get(text) ?? 0, count));
}

/** What reading the file would make of the conversation's transcript. */
export function fileRead(
  { transcript, imported, erasedIds }: ModelConversation,
  lines: readonly ModelLine[],
): ModelTranscript {
  const isErased = ({ id, text }: ModelLine) =>
    id !== null && erasedIds.has(id) && (imported.get(text) ?? 0) === 0;
  return readAgain(transcript ?? NO_TRANSCRIPT, lines, isErased);
}

/** The message of a line was erased, and with it what the same entry says elsewhere; events go with the last message. */
export function eraseLine(conversation: ModelConversation, erased: ModelLine, isLast: boolean): void {
  const { transcript, imported, erasedIds } = conversation;
  if (transcript === null) return;
  const isGone = (line: ModelLine) =>
    line === erased || (line.id !== null && line.text === erased.text) || (isLast && !line.isMessage);
  const without = (lines: readonly ModelLine[]) =>
    lines.map((line) => (isGone(line) ? { ...line, erased: true } : line));
  conversation.transcript = { before: without(transcript.before), lines: without(transcript.lines) };
  if (erased.id !== null) erasedIds.add(erased.id);
  imported.set(erased.text, erased.id === null ? (imported.get(erased.text) ?? 1) - 1 : 0);
}

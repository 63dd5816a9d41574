/** Everything a store holds, read through the public interface, and compared with what it must hold. */
import { isDeepStrictEqual } from "node:util";
import { type Conversation, type Engine, isPalimpsestError, type Message } from "../../src/index.ts";
import type { ExpectedConversation, ExpectedMessage, Ledger } from "./ledger.ts";
import { transcriptStart } from "./transcript-file.ts";

export interface ViewedConversation extends Conversation {
  readonly messages: readonly Message[];
  /** Null when it was not imported. */
  readonly transcript: string | null;
}

export type StoreView = ReadonlyMap<string, ViewedConversation>;

export async function viewStore({ context }: Pick<Engine, "context">): Promise<StoreView> {
  const view = new Map<string, ViewedConversation>();
  const { conversations } = await context.conversations.list({ archived: true });
  for (const conversation of conversations)
    view.set(conversation.id, {
      ...conversation,
      messages: await allMessages({ context }, conversation.id),
      transcript: await transcriptOf({ context }, conversation.id),
    });
  return view;
}

async function allMessages({ context }: Pick<Engine, "context">, conversation: string): Promise<Message[]> {
  const all: Message[] = [];
  for (let from: number | null = 1; from !== null; ) {
    const page: Awaited<ReturnType<typeof context.read>> = await context.read({ conversation, from });
    all.push(...page.messages);
    from = page.next;
  }
  return all;
}

async function transcriptOf(
  { context }: Pick<Engine, "context">,
  conversation: string,
): Promise<string | null> {
  const pieces: Uint8Array[] = [];
  try {
    for await (const piece of context.conversations.transcript({ conversation })) pieces.push(piece);
  } catch (error) {
    if (isPalimpsestError(error, "not-found")) return null;
    throw error;
  }
  return Buffer.concat(pieces).toString("utf8");
}

/** Every difference between what is there and what must be there, in words. */
export function compareView(view: StoreView, ledger: Ledger): string[] {
  const problems: string[] = [];
  for (const id of view.keys())
    if (!ledger.conversations.has(id)) problems.push(`${id} is there, and nobody asked for it`);
  for (const expected of ledger.conversations.values()) {
    const found = view.get(expected.id);
    if (found === undefined) problems.push(`${expected.id} (${expected.session}) is lost`);
    else
      problems.push(...compareConversation(found, expected).map((problem) => `${expected.id}: ${problem}`));
  }
  return problems;
}

function compareConversation(found: ViewedConversation, expected: ExpectedConversation): string[] {
  const problems: string[] = [];
  if (found.sessionId !== expected.session) problems.push(`its session is ${found.sessionId}`);
  if ((found.archivedAt !== null) !== expected.archived)
    problems.push(`archived should be ${expected.archived}`);
  if (expected.title !== null && found.title !== expected.title)
    problems.push(`its title is ${found.title} and should be ${expected.title}`);
  if (found.messages.length !== expected.messages.size)
    problems.push(`it has ${found.messages.length} messages and should have ${expected.messages.size}`);
  found.messages.forEach((message, index) => {
    const wanted = expected.messages.get(index + 1);
    if (message.seq !== index + 1) problems.push(`seq ${index + 1} is ${message.seq}`);
    if (wanted !== undefined)
      problems.push(...compareMessage(message, wanted).map((problem) => `seq ${index + 1} ${problem}`));
  });
  const transcript =
    expected.characters === null ? null : transcriptStart(expected.session, expected.characters);
  if (found.transcript !== transcript) problems.push("its transcript is not the file");
  return problems;
}

function compareMessage(found: Message, expected: ExpectedMessage): string[] {
  const problems: string[] = [];
  if (expected.key !== null && found.key !== expected.key)
    problems.push(`has the key ${found.key} instead of ${expected.key}`);
  if (found.excluded !== expected.excluded)
    problems.push(`is excluded as ${found.excluded} instead of ${expected.excluded}`);
  const isErased = expected.excluded === "erased";
  if (isErased && found.original !== null) problems.push("should be erased and is not");
  if (!isErased && !isSaid(found, expected.said)) problems.push("is not what was said");
  return problems;
}

export function isSaid(found: Message, said: object | string): boolean {
  if (typeof said === "string") return found.original === said;
  if (found.format === "message" && found.original !== JSON.stringify(said)) return false;
  return isDeepStrictEqual(found.value, said);
}

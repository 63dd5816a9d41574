/** Takes the payloads out of messages that come in. A result finds its call among them, else on record. */
import type { Address, NewMessage } from "../../store/store.ts";
import {
  type ExternaliseOptions,
  externalisePayloads,
  mayHoldPayloads,
} from "../files/externalise-payloads.ts";
import type { RecentCalls } from "../files/tool-calls.ts";
import { IncomingCalls } from "./incoming-calls.ts";
import type { IngestDependencies } from "./ingest-dependencies.ts";
import type { PreparedMessage } from "./prepare-turn.ts";

/** At once when no message is long enough to hold a payload, which is how most turns are. Calls are added to `recent`. */
export function externaliseTurn(
  prepared: readonly PreparedMessage[],
  address: Address,
  use: IngestDependencies,
  recent: RecentCalls,
): readonly NewMessage[] | Promise<readonly NewMessage[]> {
  for (const { parts } of prepared) recent.add(parts);
  if (!prepared.some(({ message }) => mayHoldPayloads(message, use.settings)))
    return prepared.map(({ message }) => message);
  const calls = new IncomingCalls(use.store, address, use.log, recent);
  for (const { parts } of prepared) calls.add(parts);
  return externaliseEach(prepared, calls, use);
}

async function externaliseEach(
  prepared: readonly PreparedMessage[],
  calls: IncomingCalls,
  use: IngestDependencies,
): Promise<readonly NewMessage[]> {
  const messages: NewMessage[] = [];
  // One after the other: each may hold a file that takes seconds and as much memory as it is large.
  for (const { message, value } of prepared)
    messages.push(await externaliseMessage(message, calls, use, value));
  return messages;
}

/** `value`: the message as it was given, where the caller still has it. */
export function externaliseMessage(
  message: NewMessage,
  calls: IncomingCalls,
  use: Omit<ExternaliseOptions, "findCall">,
  value?: unknown,
): NewMessage | Promise<NewMessage> {
  if (!mayHoldPayloads(message, use.settings)) return message;
  return externalisePayloads(message, { value }, { ...use, findCall: (id) => calls.find(id) });
}

/** Externalises the payloads of incoming messages. The call of a result is looked up among them, else in the store. */
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

/** Synchronous if no message is long enough to contain a payload, as in most turns. Calls are added to `recent`. */
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
  // Sequential: each message may contain a file that takes seconds and as much memory as its size.
  for (const { message, value } of prepared)
    messages.push(await externaliseMessage(message, calls, use, value));
  return messages;
}

/** `value`: the original value of the message, if the caller still has it. */
export function externaliseMessage(
  message: NewMessage,
  calls: IncomingCalls,
  use: Omit<ExternaliseOptions, "findCall">,
  value?: unknown,
): NewMessage | Promise<NewMessage> {
  if (!mayHoldPayloads(message, use.settings)) return message;
  return externalisePayloads(message, { value }, { ...use, findCall: (id) => calls.find(id) });
}

/** Takes the payloads out of a turn's messages. A result finds its call in the turn itself, else on record. */
import type { Address, NewMessage } from "../../store/store.ts";
import { externalise, mayHoldPayloads } from "../files/externalise.ts";
import { RecordedCalls } from "../files/recorded-calls.ts";
import { type FindCall, RecentCalls } from "../files/tool-calls.ts";
import type { IngestDependencies } from "./commit-turn.ts";
import type { PreparedMessage } from "./prepare-turn.ts";

/** At once when no message is long enough to hold a payload, which is how most turns are. */
export function externaliseTurn(
  prepared: readonly PreparedMessage[],
  address: Address,
  use: IngestDependencies,
): readonly NewMessage[] | Promise<readonly NewMessage[]> {
  if (!prepared.some(({ message }) => mayHoldPayloads(message, use.settings)))
    return prepared.map(({ message }) => message);
  return externaliseEach(prepared, callsOf(prepared, address, use), use);
}

async function externaliseEach(
  prepared: readonly PreparedMessage[],
  findCall: FindCall,
  use: IngestDependencies,
): Promise<readonly NewMessage[]> {
  const messages: NewMessage[] = [];
  // One after the other: each may hold a file that takes seconds and as much memory as it is large.
  for (const { message, value } of prepared)
    messages.push(await externalise(message, { value }, { ...use, findCall }));
  return messages;
}

function callsOf(
  prepared: readonly PreparedMessage[],
  address: Address,
  { store, log }: IngestDependencies,
): FindCall {
  const said = new RecentCalls();
  for (const { parts } of prepared) said.add(parts);
  const recorded = new RecordedCalls(store, address, log);
  return (id) => said.find(id) ?? recorded.find(id);
}

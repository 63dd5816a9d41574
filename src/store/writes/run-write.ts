/** Runs each kind of write in a commit. */
import type { Scope } from "../../types.ts";
import type { EmbedWrite } from "../message-vectors.ts";
import type { Port } from "../port.ts";
import type { Address, Write, WriteResult } from "../store.ts";
import { append } from "./append.ts";
import { changeConversation, deleteConversation } from "./change-conversation.ts";
import { describeFile } from "./describe-file.ts";
import { erase } from "./erase.ts";
import { externalise, internalise } from "./externalise.ts";
import { publish } from "./publish.ts";
import { reindex } from "./reindex.ts";
import { writeIndex } from "./write-index.ts";

/** All writes except those of vectors, which each engine stores in its own way. */
type SharedWrite = Exclude<Write, EmbedWrite>;

export async function runWrite(port: Port, scope: Scope, write: SharedWrite): Promise<WriteResult> {
  switch (write.kind) {
    case "append":
      return append(port, scope, write);
    case "publish":
      return publish(port, scope, write);
    case "update-conversation":
      return { kind: write.kind, conversation: await changeConversation(port, scope, write) };
    case "delete-conversation":
      return { kind: write.kind, ...(await deleteConversation(port, scope, write)) };
    case "erase":
      return { kind: write.kind, ...(await erase(port, scope, write)) };
    case "reindex":
      return { kind: write.kind, messages: await reindex(port, scope, write) };
    case "index":
      return { kind: write.kind, segment: await writeIndex(port, scope, write) };
    case "externalise":
      return { kind: write.kind, messages: await externalise(port, scope, write) };
    case "internalise":
      return { kind: write.kind, messages: await internalise(port, scope, write) };
    case "describe-file":
      return { kind: write.kind, seq: await describeFile(port, scope, write) };
  }
}

/** Undefined for a write that belongs to no single conversation. */
export function addressOf(write: Write): Address | undefined {
  if (write.kind === "index") return undefined;
  return write.kind === "append" ? write.address : { id: write.id };
}

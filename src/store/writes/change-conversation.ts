/** Changes a conversation as a whole: its title, its archived state, or its deletion. */
import { PalimpsestError } from "../../errors.ts";
import type { Scope } from "../../types.ts";
import type { Port } from "../port.ts";
import { namingErased } from "../rules/naming-erased.ts";
import type { DeleteConversationWrite, StoredConversation, UpdateConversationWrite } from "../store.ts";
import {
  type ConversationRow,
  dropConversation,
  dropRowsOf,
  findConversation,
  requireConversation,
  toConversation,
  updateNames,
} from "../tables/conversations.ts";
import { dropAllFiles } from "../tables/large-files.ts";
import { dropAllMessages } from "../tables/messages.ts";
import { dropSegmentsOf } from "../tables/search-segments.ts";
import { eraseMadeFrom } from "./erase-memories.ts";
import { writeCertificate } from "./write-certificate.ts";

export async function changeConversation(
  port: Port,
  scope: Scope,
  write: UpdateConversationWrite,
): Promise<StoredConversation> {
  const { row, held } = await requireConversation(port, scope, write.id);
  const changed: ConversationRow = {
    ...row,
    title: write.title === undefined ? row.title : port.shown(write.title),
    title_is_automatic: write.title === undefined && Boolean(row.title_is_automatic),
    archived_at: write.archivedAt === undefined ? row.archived_at : write.archivedAt,
    updated_at: write.at,
  };
  if (changed.archived_at === null && row.archived_at !== null) await refuseSecondActive(port, scope, row);
  updateNames(held, changed);
  return toConversation(changed);
}

async function refuseSecondActive(port: Port, scope: Scope, row: ConversationRow): Promise<void> {
  const session = row.session_key ?? row.session_id;
  const active = await findConversation(port, scope, { sessionId: session, sessionKey: null });
  if (active === undefined) return;
  throw new PalimpsestError("conflict", `session ${session} is active in ${active.uid}`, {
    advice: `Archive that conversation first: lcm conversations archive ${active.uid}`,
  });
}

export async function deleteConversation(
  port: Port,
  scope: Scope,
  write: DeleteConversationWrite,
): Promise<{ readonly messages: number; readonly memories: number }> {
  const { held } = await requireConversation(port, scope, write.id);
  await dropSegmentsOf(held);
  port.derived.dropAll(held);
  dropRowsOf(held);
  const messages = dropAllMessages(held);
  await dropAllFiles(held);
  const memories = await eraseMadeFrom(port, scope.tenant, write.id, null, write.audit.at);
  dropConversation(held);
  await writeCertificate(port, scope, namingErased(write.audit, memories));
  return { messages: await messages, memories: memories.erased.length };
}

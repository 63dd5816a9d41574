/** Conversations and their content as resources: `palimpsest://conversation/{id}` and the like. */
import { type McpServer, type ReadResourceResult, ResourceTemplate } from "@modelcontextprotocol/server";
import type { Engine } from "../engine.ts";
import { PalimpsestError } from "../errors.ts";
import { counted } from "../text/counted.ts";
import { oneLine } from "../text/escape-controls.ts";
import { toProtocolError } from "./explain-error.ts";
import type { OpenEngine } from "./open-once.ts";
import {
  latestConversations,
  RESOURCE_KINDS,
  type ResourceKind,
  readConversationList,
} from "./read-resource.ts";

const MIME = "text/plain";

export function addResources(server: McpServer, open: OpenEngine): void {
  server.registerResource(
    "conversations",
    "palimpsest://conversations",
    {
      title: "Conversations",
      description: "The conversations, most recently active first.",
      mimeType: MIME,
    },
    (uri) => readText(uri, open, readConversationList),
  );
  for (const kind of RESOURCE_KINDS) addKind(server, kind, open);
}

function addKind(
  server: McpServer,
  { name, title, description, read }: ResourceKind,
  open: OpenEngine,
): void {
  const isConversation = name === "conversation";
  const template = new ResourceTemplate(`palimpsest://${name}/{id}`, {
    list: isConversation ? async () => ({ resources: await listed(open) }) : undefined,
    ...(isConversation ? { complete: { id: (start) => completeConversation(open, start) } } : {}),
  });
  server.registerResource(name, template, { title, description, mimeType: MIME }, (uri, { id }) =>
    readText(uri, open, (engine) => read(engine, decode(String(id)))),
  );
}

/** A session id can contain any character, and is then escaped in a URI. */
function decode(id: string): string {
  try {
    return decodeURIComponent(id);
  } catch (error) {
    throw new PalimpsestError("invalid-input", `"${id}" is not correctly percent-encoded`, {
      cause: error,
    });
  }
}

async function readText(
  { href }: URL,
  open: OpenEngine,
  read: (engine: Engine) => Promise<string>,
): Promise<ReadResourceResult> {
  try {
    return { contents: [{ uri: href, mimeType: MIME, text: await read(await open()) }] };
  } catch (error) {
    throw toProtocolError(error, href);
  }
}

async function listed(open: OpenEngine) {
  const uri = "palimpsest://conversations";
  try {
    return (await latestConversations(await open())).map(({ id, title, sessionId, messageCount }) => ({
      uri: `palimpsest://conversation/${id}`,
      name: id,
      title: oneLine(title ?? sessionId),
      description: counted(messageCount, "message"),
    }));
  } catch (error) {
    throw toProtocolError(error, uri);
  }
}

/** Ids and session ids that begin like this. */
export async function completeConversation(open: OpenEngine, start: string): Promise<string[]> {
  const known = await latestConversations(await open());
  const names = known.flatMap(({ id, sessionId }) => [id, sessionId]);
  return [...new Set(names)].filter((name) => name.startsWith(start));
}

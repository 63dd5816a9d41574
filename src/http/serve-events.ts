/** Live changes as server-sent events. A viewer that does not read is disconnected instead of being buffered for. */
import type { ServerResponse } from "node:http";
import type { ChangeFeed } from "./change-feed.ts";

const BEAT_MS = 15_000;
const MOST_UNREAD_BYTES = 262_144;

/** Resolves when the viewer has gone or the server ends. */
export async function serveEvents(
  outgoing: ServerResponse,
  feed: ChangeFeed,
  ended: AbortSignal,
): Promise<void> {
  const send = (text: string) => {
    if (outgoing.writableLength > MOST_UNREAD_BYTES) outgoing.destroy();
    else outgoing.write(text);
  };
  const stop = await feed.listen(send);
  const beat = setInterval(() => send(": beat\n\n"), BEAT_MS);
  try {
    outgoing.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-store" });
    send("event: ready\ndata: {}\n\n");
    await closed(outgoing, ended);
  } finally {
    stop();
    clearInterval(beat);
    outgoing.end();
  }
}

function closed(outgoing: ServerResponse, ended: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (outgoing.destroyed || ended.aborted) return resolve();
    outgoing.once("close", resolve);
    ended.addEventListener("abort", () => resolve(), { once: true });
  });
}

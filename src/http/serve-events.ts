/** Live changes as server-sent events. A viewer that does not read is disconnected instead of buffering its events. */
import type { ServerResponse } from "node:http";
import type { ChangeFeed } from "./change-feed.ts";

const BEAT_MS = 15_000;
const MOST_UNREAD_BYTES = 262_144;

interface Viewing {
  readonly ended: AbortSignal;
  /** Checked before each event: a revoked token receives no more events. */
  readonly isAllowed: () => Promise<boolean>;
}

/** Resolves when the viewer disconnects or the server ends. */
export async function serveEvents(
  outgoing: ServerResponse,
  feed: Pick<ChangeFeed, "listen">,
  { ended, isAllowed }: Viewing,
): Promise<void> {
  const send = (text: string) => {
    if (outgoing.destroyed || outgoing.writableEnded) return;
    if (outgoing.writableLength > MOST_UNREAD_BYTES) outgoing.destroy();
    else outgoing.write(text);
  };
  let sent = Promise.resolve();
  const tell = (text: string) => {
    sent = sent.then(isAllowed).then((allowed) => (allowed ? send(text) : void outgoing.end()));
  };
  const stop = await feed.listen(tell);
  const beat = setInterval(() => tell(": beat\n\n"), BEAT_MS);
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

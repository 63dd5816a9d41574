/** A viewer that does not read what it is sent. */
import { once } from "node:events";
import { createServer } from "node:http";
import { connect } from "node:net";
import { expect, it } from "vitest";
import { portIn } from "../../src/http/node-http.ts";
import { serveEvents } from "../../src/http/serve-events.ts";

const EVENT = `event: change\ndata: ${"x".repeat(100_000)}\n\n`;

it("is disconnected, and not buffered for without end", async () => {
  const told: ((event: string) => void)[] = [];
  const feed = {
    listen: async (listener: (event: string) => void) => {
      told.push(listener);
      return () => void told.pop();
    },
  };
  let unread = 0;
  const server = createServer((_, outgoing) => {
    const viewing = { ended: new AbortController().signal, isAllowed: async () => true };
    void serveEvents(outgoing, feed, viewing);
    const timer = setInterval(() => {
      for (const tell of told) tell(EVENT);
      unread = Math.max(unread, outgoing.writableLength);
    }, 2);
    outgoing.once("close", () => clearInterval(timer));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const socket = connect(portIn(server), "127.0.0.1");
  socket.on("error", () => undefined);
  socket.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
  await once(socket, "readable");
  await expect.poll(() => told.length, { timeout: 20_000 }).toBe(0);
  expect(unread).toBeLessThan(5 * EVENT.length);
  socket.destroy();
  server.close();
});

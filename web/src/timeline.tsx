/**
 * The messages of a conversation of any length. Only those on the screen exist as elements, and only the chunks around
 * them are in memory.
 */
import { useQueries } from "@tanstack/react-query";
import { useVirtualizer } from "@tanstack/react-virtual";
import { useEffect, useRef } from "react";
import { useClient } from "./api.ts";
import type { Fates } from "./context-view.ts";
import { type Message, MessageView } from "./message-view.tsx";

const CHUNK = 20;

interface Props {
  readonly id: string;
  readonly messageCount: number;
  readonly fates: Fates | null;
  /** The message to begin with; null: the newest. */
  readonly seq: number | null;
  /** Is told when there is something to read. */
  readonly onShown: (isShown: boolean) => void;
}

export function Timeline({ id, messageCount, fates, seq, onShown }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const rows = useVirtualizer({
    count: messageCount,
    getScrollElement: () => box.current,
    estimateSize: () => 160,
    overscan: 4,
    getItemKey: (index) => index + 1,
  });
  const shown = rows.getVirtualItems();
  const messages = useChunks(
    id,
    shown.map(({ index }) => index),
  );
  const isShown = messages.size > 0 || messageCount === 0;
  useEffect(() => {
    if (isShown) onShown(true);
  }, [isShown, onShown]);
  const start = seq ?? messageCount;
  useEffect(() => {
    rows.scrollToIndex(Math.max(0, Math.min(start, messageCount) - 1), {
      align: seq === null ? "end" : "start",
    });
    // Only when another message is asked for: new messages must not move what is being read.
  }, [seq === null ? "newest" : seq]);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard.
    <div className="timeline" ref={box} tabIndex={0} role="feed" aria-label="Messages" aria-busy={false}>
      <div style={{ height: rows.getTotalSize(), position: "relative" }}>
        {shown.map(({ index, key, start: top }) => {
          const message = messages.get(index + 1);
          return (
            <div
              key={key}
              data-index={index}
              ref={rows.measureElement}
              className={index + 1 === seq ? "place asked" : "place"}
              style={{ transform: `translateY(${top}px)` }}
            >
              {message === undefined ? (
                <p className="waiting">#{index + 1}</p>
              ) : (
                <MessageView message={message} fate={fates?.of(message.seq) ?? null} />
              )}
            </div>
          );
        })}
      </div>
    </div>
  );
}

/** The chunks that hold these places, by seq. */
function useChunks(id: string, indices: readonly number[]): ReadonlyMap<number, Message> {
  const client = useClient();
  const chunks = [...new Set(indices.map((index) => Math.floor(index / CHUNK)))];
  return useQueries({
    queries: chunks.map((chunk) => {
      const input = { id, from: chunk * CHUNK + 1, to: (chunk + 1) * CHUNK, limit: CHUNK };
      return {
        queryKey: ["newest", { ...input }],
        queryFn: ({ signal }: { signal: AbortSignal }) => client.look("read", input, { signal }),
      };
    }),
    combine: (results) =>
      new Map(results.flatMap(({ data }) => data?.messages ?? []).map((message) => [message.seq, message])),
  });
}

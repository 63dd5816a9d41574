/** One conversation: its messages, the graph of its summaries, and the context of the model. */

import { useQueries } from "@tanstack/react-query";
import { useVirtualizer } from "@tanstack/react-virtual";
import { useEffect, useMemo, useRef, useState } from "react";
import { useClient, useOperation } from "./api.ts";
import { ContextPanel } from "./context-panel.tsx";
import { type Fates, fatesOf, useContextView, useRecordedTurns } from "./context-view.ts";
import { DagView } from "./dag-view.tsx";
import { compact, count, counted, time } from "./format.ts";
import { type Message, MessageView } from "./message-view.tsx";
import { NotFound } from "./missing.tsx";
import { isExported, Link, replacePath, setParameters, useAddress } from "./router.tsx";

export function ConversationPage({ id }: { readonly id: string }) {
  const { searchParams } = useAddress();
  const tab = searchParams.get("tab") === "dag" ? "dag" : "timeline";
  const seq = Number(searchParams.get("seq")) || null;
  const turn = Number(searchParams.get("turn")) || null;
  const first = useOperation("read", { id, limit: 1 });
  // Loads the visible messages first, since other requests would keep the store busy.
  const [isShown, setShown] = useState(false);
  const isNext = isShown || tab === "dag";
  const tree = useOperation("tree", { conversation: id, countsErased: false }, { enabled: isNext });
  const recorded = useRecordedTurns(id, isNext);
  const view = useContextView(id, turn, recorded);
  const conversation = first.data?.conversation;
  const fates = useMemo(
    () => (view.data === undefined || tree.data === undefined ? null : fatesOf(view.data, tree.data)),
    [view.data, tree.data],
  );
  useEffect(() => {
    document.title = `${conversation?.title ?? id} – Palimpsest`;
    return () => {
      document.title = "Palimpsest";
    };
  }, [conversation?.title, id]);
  // A link may name its session. Changes are reported by id, and a session may have another conversation later.
  useEffect(() => {
    if (conversation !== undefined && conversation.id !== id) replacePath(`/c/${conversation.id}`);
  }, [conversation, id]);
  const error = first.error ?? tree.error;
  if (error !== null) return <NotFound error={error} />;
  if (conversation === undefined) return <p className="muted page">Loading …</p>;
  return (
    <section className="conversation">
      <header className="about">
        <h1>{conversation.title ?? conversation.sessionId}</h1>
        <p className="facts">
          {conversation.host === null ? null : <span className="tag">{conversation.host}</span>}
          {conversation.project === null ? null : <span>{conversation.project}</span>}
          {conversation.model === null ? null : <span>{conversation.model}</span>}
          <span>{time(first.data?.messages[0]?.createdAt ?? conversation.createdAt)}</span>
          <span>{counted(conversation.messageCount, "message")}</span>
          <span>{compact(conversation.tokenCount)} tokens</span>
          {tree.data === undefined ? null : <span>{count(tree.data.summaries.length)} summaries</span>}
          {isExported() ? null : <Link href={`/files?conversation=${id}`}>files</Link>}
        </p>
        <div role="tablist" aria-label="View" className="tabs">
          {(["timeline", "dag"] as const).map((name) => (
            <button
              key={name}
              type="button"
              role="tab"
              aria-selected={tab === name}
              onClick={() => setParameters({ tab: name === "dag" ? "dag" : null })}
            >
              {name === "dag" ? "Summaries" : "Timeline"}
            </button>
          ))}
        </div>
      </header>
      <div className="columns">
        {tab === "dag" && tree.data === undefined ? <p className="muted dag">Loading …</p> : null}
        {tab === "dag" && tree.data !== undefined ? (
          <DagView tree={tree.data} node={searchParams.get("node")} />
        ) : null}
        {tab === "dag" ? null : (
          <Timeline
            id={id}
            messageCount={conversation.messageCount}
            fates={fates}
            seq={seq ?? turn}
            onShown={setShown}
          />
        )}
        <ContextPanel
          id={id}
          turn={turn}
          view={view}
          recorded={recorded ?? []}
          messageCount={conversation.messageCount}
        />
      </div>
    </section>
  );
}

/**
 * The messages of a conversation of any length. Only visible messages exist as elements, and only the chunks around
 * them are in memory.
 */
const CHUNK = 20;

interface Props {
  readonly id: string;
  readonly messageCount: number;
  readonly fates: Fates | null;
  /** The first visible message; null: the newest. */
  readonly seq: number | null;
  /** Called when messages are visible. */
  readonly onShown: (isShown: boolean) => void;
}

function Timeline({ id, messageCount, fates, seq, onShown }: Props) {
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
    // Only when another message is requested: new messages must not scroll the view.
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

/** The chunks that contain these positions, by seq. */
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

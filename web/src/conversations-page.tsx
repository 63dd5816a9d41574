/** All conversations, the one with the newest message first, with search while typing: titles and projects locally, words in the store. */
import { useInfiniteQuery } from "@tanstack/react-query";
import { useVirtualizer } from "@tanstack/react-virtual";
import { Fragment, useDeferredValue, useEffect, useRef, useState } from "react";
import type { OutputOf } from "../../src/http/client.ts";
import { problemText, useClient, useOperation } from "./api.ts";
import { ago, compact, count, counted, folder, time } from "./format.ts";
import { Link, setParameters, useAddress } from "./router.tsx";

type Conversation = OutputOf<"conversations list">["conversations"][number];

const PAGE = 200;
const ROW_PX = 68;

export function ConversationsPage() {
  const [query, setQuery] = useState(useAddress().searchParams.get("q") ?? "");
  const wanted = useDeferredValue(query.trim());
  useEffect(() => setParameters({ q: wanted === "" ? null : wanted }), [wanted]);
  const { conversations, error, more, isPending } = useConversations();
  const matching = conversations.filter((one) => isMatch(one, wanted));
  return (
    <section className="page">
      <h1>Conversations</h1>
      <input
        type="search"
        aria-label="Search conversations and messages"
        placeholder="Search titles, projects and every message   /"
        value={query}
        onChange={(event) => setQuery(event.target.value)}
      />
      {error === null ? null : <p className="error-text">{problemText(error)}</p>}
      {matching.length === 0 && !isPending ? <Nothing isFiltered={wanted !== ""} /> : null}
      {matching.length === 0 ? null : (
        <List conversations={matching} isShort={wanted.length > 1} onEnd={more} />
      )}
      {wanted.length < 2 ? null : <Hits pattern={wanted} />}
    </section>
  );
}

function useConversations() {
  const client = useClient();
  const { data, error, hasNextPage, fetchNextPage, isFetching, isPending } = useInfiniteQuery({
    queryKey: ["conversations list"],
    queryFn: ({ pageParam, signal }) =>
      client.look("conversations list", { from: pageParam, limit: PAGE, archived: true }, { signal }),
    initialPageParam: 0,
    getNextPageParam: ({ next }) => next,
  });
  const more = () => {
    if (hasNextPage && !isFetching) void fetchNextPage();
  };
  return { conversations: data?.pages.flatMap((page) => page.conversations) ?? [], error, more, isPending };
}

function isMatch({ title, project, sessionId, host, id }: Conversation, wanted: string): boolean {
  const text = [title, project, sessionId, host, id].join("\n").toLowerCase();
  return wanted
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

function Nothing({ isFiltered }: { readonly isFiltered: boolean }) {
  if (isFiltered) return <p className="muted">No title or project matches.</p>;
  return (
    <p className="muted">
      No conversations yet. Import some with <code>lcm import</code>, or connect a host with{" "}
      <code>lcm setup</code>.
    </p>
  );
}

interface ListProps {
  readonly conversations: readonly Conversation[];
  /** Matching messages are shown below it. */
  readonly isShort: boolean;
  readonly onEnd: () => void;
}

function List({ conversations, isShort, onEnd }: ListProps) {
  const box = useRef<HTMLDivElement>(null);
  const rows = useVirtualizer({
    count: conversations.length,
    getScrollElement: () => box.current,
    estimateSize: () => ROW_PX,
    overscan: 8,
  });
  const shown = rows.getVirtualItems();
  const last = shown.at(-1)?.index ?? 0;
  useEffect(() => {
    if (last >= conversations.length - 20) onEnd();
  }, [last, conversations.length, onEnd]);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard.
    <div className={isShort ? "rows is-short" : "rows"} ref={box} tabIndex={0}>
      <ul aria-label="Conversations" style={{ height: rows.getTotalSize() }}>
        {shown.map(({ index, start }) => {
          const one = conversations[index];
          return one === undefined ? null : (
            <li
              key={one.id}
              data-index={index}
              ref={rows.measureElement}
              className="row"
              style={{ transform: `translateY(${start}px)` }}
            >
              <Row conversation={one} />
            </li>
          );
        })}
      </ul>
    </div>
  );
}

function Row({ conversation: one }: { readonly conversation: Conversation }) {
  return (
    <Link href={`/c/${one.id}`} className="row-link">
      <span className="title">
        {one.archivedAt === null ? "" : "(archived) "}
        {one.title ?? one.sessionId}
      </span>
      <span className="facts">
        {one.host === null ? null : <span className="tag">{one.host}</span>}
        {one.project === null ? null : <span title={one.project}>{folder(one.project)}</span>}
        <span>{ago(one.lastAt ?? one.updatedAt)}</span>
        <span>{counted(one.messageCount, "message")}</span>
        <span>{compact(one.tokenCount)} tokens</span>
        <span className="share" title={`The context holds ${count(one.contextTokens)} tokens`}>
          {compact(one.contextTokens)} in context
        </span>
      </span>
    </Link>
  );
}

function Hits({ pattern }: { readonly pattern: string }) {
  const { data, error, isFetching } = useOperation("grep", { pattern, limit: 12 }, { keeps: true });
  if (error !== null) return <p className="error-text">{problemText(error)}</p>;
  return (
    <section aria-label="Messages that match" className="hits" aria-busy={isFetching}>
      <h2>
        {data === undefined ? "Searching …" : data.hits.length === 0 ? "No message matches" : "In messages"}
      </h2>
      <ul>
        {data?.hits.map((hit) => (
          <li key={hit.id}>
            <Link
              href={`/c/${hit.conversation}?${hit.kind === "message" ? `seq=${hit.seq}` : `tab=dag&node=${hit.id}`}`}
            >
              <span className="tag">{hit.kind === "message" ? hit.role : "summary"}</span>{" "}
              <Snippet snippet={hit.snippet} />
              <span className="where">
                {hit.title ?? hit.conversation}, {hit.kind === "message" ? `message ${hit.seq}, ` : ""}
                {time(hit.createdAt)}
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}

interface Props {
  readonly snippet: {
    readonly text: string;
    readonly marks: readonly { readonly start: number; readonly end: number }[];
  };
}

/** Words around a match, with the match marked. */
function Snippet({ snippet: { text, marks } }: Props) {
  let last = 0;
  const pieces = marks.map(({ start, end }) => {
    const before = text.slice(last, start);
    last = end;
    return (
      <Fragment key={start}>
        {before}
        <mark>{text.slice(start, end)}</mark>
      </Fragment>
    );
  });
  return (
    <span className="snippet">
      {pieces}
      {text.slice(last)}
    </span>
  );
}

/** One conversation: its messages, its summaries as a picture, and beside them what the model sees or saw. */
import { useEffect, useMemo, useState } from "react";
import { useOperation } from "./api.ts";
import { ContextPanel } from "./context-panel.tsx";
import { fatesOf, useContextView, useRecordedTurns } from "./context-view.ts";
import { DagView } from "./dag-view.tsx";
import { compact, count, counted, time } from "./format.ts";
import { NotFound } from "./missing.tsx";
import { isExported, Link, replacePath, setParameters, useAddress } from "./router.tsx";
import { Timeline } from "./timeline.tsx";

export function ConversationPage({ id }: { readonly id: string }) {
  const { searchParams } = useAddress();
  const tab = searchParams.get("tab") === "dag" ? "dag" : "timeline";
  const seq = Number(searchParams.get("seq")) || null;
  const turn = Number(searchParams.get("turn")) || null;
  const first = useOperation("read", { id, limit: 1 });
  // What is read first is asked for first: the rest would keep the store busy.
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
  // A link may name its session. Changes are told by id, and a session may have another conversation later.
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

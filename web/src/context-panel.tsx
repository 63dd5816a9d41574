/** The context bar, the time slider, the changes of a turn, and the reason for each item. */
import type { UseQueryResult } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { problemText, useOperation } from "./api.ts";
import { type ContextOutput, type Item, SHARES, seqOf, sharesOf, type Turn } from "./context-view.ts";
import { compact, count, counted, time } from "./format.ts";
import { here, Link, setParameters } from "./router.tsx";

interface Props {
  readonly id: string;
  readonly turn: number | null;
  readonly view: UseQueryResult<ContextOutput>;
  readonly recorded: readonly Turn[];
  readonly messageCount: number;
}

export function ContextPanel({ id, turn, view, recorded, messageCount }: Props) {
  const at = turn === null ? recorded.length : recorded.findIndex(({ firstSeq }) => firstSeq === turn);
  return (
    <aside className="context" aria-label="What the model sees">
      <h2>{turn === null ? "What the model sees now" : `What the model saw before message ${turn}`}</h2>
      <TurnSlider recorded={recorded} at={at === -1 ? recorded.length : at} />
      {view.error === null ? null : <p className="error-text">{problemText(view.error)}</p>}
      {view.data === undefined ? <p className="muted">Loading …</p> : <Shares view={view.data} />}
      {view.data?.turn?.differs == null ? null : (
        <p className="warning">Not exact: {view.data.turn.differs}.</p>
      )}
      {turn === null ? null : <Changed id={id} turn={turn} before={recorded[at - 1]?.firstSeq ?? null} />}
      {view.data === undefined ? null : <Items view={view.data} messageCount={messageCount} />}
    </aside>
  );
}

interface SliderProps {
  readonly recorded: readonly Turn[];
  readonly at: number;
}

function TurnSlider({ recorded, at }: SliderProps) {
  const [place, setPlace] = useState(at);
  useEffect(() => setPlace(at), [at]);
  // The URL is updated with a delay, so that a fast drag requests few views.
  useEffect(() => {
    if (place === at) return;
    const timer = setTimeout(() => setParameters({ turn: recorded[place]?.firstSeq ?? null }), 120);
    return () => clearTimeout(timer);
  }, [place, at, recorded]);
  const step = (by: number) => setPlace(Math.min(recorded.length, Math.max(0, place + by)));
  if (recorded.length === 0)
    return (
      <p className="muted">
        The host built the requests of this conversation itself, so what the model saw at each turn is not on
        record. Below is what Palimpsest would send now.
      </p>
    );
  const { firstSeq, seen } = recorded[place] ?? { firstSeq: null, seen: null };
  const words =
    seen === null
      ? "now"
      : `turn ${place + 1} of ${recorded.length} · message ${firstSeq} · ${time(seen.at)} · ${compact(seen.tokens)} tokens`;
  return (
    <div className="slider">
      <button type="button" onClick={() => step(-1)} disabled={place === 0} aria-label="Previous turn">
        ‹
      </button>
      <input
        type="range"
        aria-label="Turn"
        aria-valuetext={words}
        min={0}
        max={recorded.length}
        value={place}
        onChange={(event) => setPlace(Number(event.target.value))}
      />
      <button
        type="button"
        onClick={() => step(1)}
        disabled={place === recorded.length}
        aria-label="Next turn"
      >
        ›
      </button>
      <output>{words}</output>
    </div>
  );
}

function Shares({ view }: { readonly view: ContextOutput }) {
  const shares = sharesOf(view);
  const whole = Math.max(view.budget, view.tokens);
  return (
    <div className="shares">
      <div
        className="bar"
        role="img"
        aria-label={SHARES.map((name) => `${name} ${shares[name]} tokens`).join(", ")}
      >
        {SHARES.map((name) => (
          <span key={name} className={`part ${name}`} style={{ width: `${(100 * shares[name]) / whole}%` }} />
        ))}
      </div>
      <ul className="legend">
        {SHARES.map((name) => (
          <li key={name}>
            <span className={`dot ${name}`} /> {name} <b>{compact(shares[name])}</b>
          </li>
        ))}
      </ul>
      <p className="muted">
        {count(view.tokens)} of {count(view.budget)} tokens
        {view.leftOut > 0 ? `, ${counted(view.leftOut, "item")} left out` : ""}
        {view.overBudget === null ? "" : `. Over the budget: ${view.overBudget}`}
      </p>
    </div>
  );
}

interface ChangedProps {
  readonly id: string;
  readonly turn: number;
  readonly before: number | null;
}

function Changed({ id, turn, before }: ChangedProps) {
  const { data } = useOperation(
    "diff",
    { conversation: id, from: before ?? turn, to: turn },
    { enabled: before !== null, keeps: true },
  );
  if (before === null) return <p className="muted">This is the first recorded turn.</p>;
  if (data === undefined) return null;
  const { added, removed, kept, samePrefix, from } = data;
  return (
    <details className="changed" open={removed.length > 0 && added.length + removed.length < 12}>
      <summary>
        Since the previous turn: <b className="plus">+{count(added.length)}</b>{" "}
        <b className="minus">−{count(removed.length)}</b>, {count(kept)} kept,{" "}
        {samePrefix === from.items ? "the whole prefix" : `${counted(samePrefix, "item")} of the prefix`}{" "}
        reused
      </summary>
      <ul>
        {removed.slice(0, 50).map((item) => (
          <ItemLine key={item.id} item={item} sign="−" />
        ))}
        {added.slice(0, 50).map((item) => (
          <ItemLine key={item.id} item={item} sign="+" />
        ))}
      </ul>
    </details>
  );
}

const MOST_ITEMS = 200;

function Items({ view, messageCount }: { readonly view: ContextOutput; readonly messageCount: number }) {
  const [isAll, setAll] = useState(false);
  const { items, recalled, systemPromptAddition } = view;
  const shown = isAll ? items : items.slice(0, MOST_ITEMS);
  const messages = items.filter(({ type }) => type === "message").length;
  return (
    <section aria-label="Items">
      <h3>
        {count(items.length)} items, in order: {count(items.length - messages)}{" "}
        {items.length - messages === 1 ? "summary" : "summaries"} and {count(messages)} of{" "}
        {count(messageCount)} messages
      </h3>
      {systemPromptAddition === null ? null : (
        <details>
          <summary>Added to the system prompt</summary>
          <pre className="words">{systemPromptAddition}</pre>
        </details>
      )}
      {recalled === null ? null : (
        <details>
          <summary>
            {recalled.ids.length === 1
              ? "1 recalled memory"
              : `${count(recalled.ids.length)} recalled memories`}
          </summary>
          <pre className="words">{recalled.text}</pre>
        </details>
      )}
      <ul className="items">
        {shown.map((item) => (
          <ItemLine key={item.id} item={item} />
        ))}
      </ul>
      {isAll || items.length <= MOST_ITEMS ? null : (
        <button type="button" className="quiet" onClick={() => setAll(true)}>
          Show all {count(items.length)}
        </button>
      )}
    </section>
  );
}

function ItemLine({ item, sign }: { readonly item: Item; readonly sign?: "+" | "−" }) {
  const { id, type, role, tokens, cutTo, reason, text } = item;
  const { searchParams, pathname } = here();
  const at = searchParams.get("turn");
  const turn = at === null ? "" : `&turn=${at}`;
  const href = type === "message" ? `?seq=${seqOf(id)}${turn}` : `?tab=dag&node=${id}${turn}`;
  return (
    <li className={`item is-${type} ${sign === "−" ? "gone" : ""}`}>
      <Link href={`${pathname}${href}`}>
        {sign === undefined ? null : <b className={sign === "+" ? "plus" : "minus"}>{sign} </b>}
        <span className={`role ${role}`}>{type === "summary" ? "summary" : `${role} #${seqOf(id)}`}</span>{" "}
        <span className="opening">{text.slice(0, 90)}</span>
      </Link>
      <span className="why">
        {reason} · {cutTo === null ? count(tokens) : `${count(cutTo)} of ${count(tokens)}`} tokens
      </span>
    </li>
  );
}

/** One summary: what it says, how faithful it is, and what it was made from. */
import { problemText, useOperation } from "./api.ts";
import { count, time } from "./format.ts";
import { Markdown } from "./markdown.tsx";
import { Link } from "./router.tsx";

export function SummaryView({ id }: { readonly id: string }) {
  const { data, error } = useOperation("describe", { id }, { keeps: true });
  if (error !== null) return <p className="error-text">{problemText(error)}</p>;
  if (data?.type !== "summary") return <p className="muted">Loading …</p>;
  const { summary, conversation, madeFrom, inContext } = data;
  const percent = summary.fidelity === null ? "not checked" : `${Math.round(100 * summary.fidelity)} %`;
  return (
    <section className="summary-view" aria-label={`Summary ${summary.id}`}>
      <h2>
        {summary.kind === "leaf" ? "Leaf" : `Condensed, depth ${summary.depth}`}: messages{" "}
        <Link href={`/c/${conversation}?seq=${summary.firstSeq}`}>
          {summary.firstSeq}–{summary.lastSeq}
        </Link>
      </h2>
      <p className="facts">
        <span className="tag">{inContext ? "in the context" : "not in the context"}</span>
        <span>fidelity {percent}</span>
        <span>{summary.quality}</span>
        <span>{summary.model ?? "made offline"}</span>
        <span>
          {count(summary.tokens)} for {count(summary.sourceTokens)} tokens
        </span>
        <span>{time(summary.createdAt)}</span>
      </p>
      {summary.text === null ? (
        <p className="muted">Its text was erased.</p>
      ) : (
        <Markdown text={summary.text} />
      )}
      <h3>Sources</h3>
      <ul className="items">
        {madeFrom.map((source) => (
          <li key={source.id} className="item">
            <Link
              href={
                source.type === "message"
                  ? `/c/${conversation}?seq=${source.firstSeq}`
                  : `/c/${conversation}?tab=dag&node=${source.id}`
              }
            >
              {source.type === "message" ? `${source.role} #${source.firstSeq}` : source.id}
            </Link>
            <span className="why">
              {source.type === "summary" ? `messages ${source.firstSeq}–${source.lastSeq} · ` : ""}
              {count(source.tokens)} tokens
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

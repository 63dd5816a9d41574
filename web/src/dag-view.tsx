/**
 * The graph of summaries: each is a bar over the messages that it covers, on the level of its depth, so that its
 * sources are directly below it. Drawn on one canvas, so that ten thousand summaries scroll smoothly.
 */
import { type KeyboardEvent, type PointerEvent, useEffect, useRef, useState } from "react";
import type { OutputOf } from "../../src/http/client.ts";
import { problemText, useOperation } from "./api.ts";
import { type Camera, drawDag, fitAll, heightOf, nodeAt, zoomed } from "./dag-drawing.ts";
import { count, time } from "./format.ts";
import { Markdown } from "./markdown.tsx";
import { Link, setParameters } from "./router.tsx";

export type Tree = OutputOf<"tree">;
export type Node = Tree["summaries"][number];

const LABEL =
  "Summaries by depth. Arrow keys move between them; the selected one is described below the diagram.";

export function DagView({ tree, node }: { readonly tree: Tree; readonly node: string | null }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [camera, setCamera] = useState<Camera>(() => fitAll(tree));
  const [size, setSize] = useState({ width: 600, height: 300 });
  const drag = useRef<{ readonly x: number; readonly from: number; moved: boolean } | null>(null);
  useEffect(() => {
    const element = canvas.current;
    if (element === null) return;
    const watch = new ResizeObserver(() =>
      setSize({ width: element.clientWidth, height: element.clientHeight }),
    );
    watch.observe(element);
    // React's wheel listener is passive, so the page would also scroll.
    const onWheel = (event: WheelEvent) => {
      event.preventDefault();
      setCamera((now) => zoomed(now, event.offsetX / element.clientWidth, event.deltaY < 0 ? 1.25 : 0.8));
    };
    element.addEventListener("wheel", onWheel, { passive: false });
    return () => {
      watch.disconnect();
      element.removeEventListener("wheel", onWheel);
    };
  }, []);
  // The colours come from the style sheet, so they are read again when the theme changes.
  const [themes, setThemes] = useState(0);
  useEffect(() => {
    const watch = new MutationObserver(() => setThemes((number) => number + 1));
    watch.observe(document.documentElement, { attributeFilter: ["data-theme"] });
    return () => watch.disconnect();
  }, []);
  useEffect(() => {
    if (canvas.current !== null) drawDag(canvas.current, tree, camera, { ...size, selected: node });
  }, [tree, camera, size, node, themes]);
  const select = (id: string | null) => setParameters({ node: id });
  const onPointerDown = (event: PointerEvent) => {
    drag.current = { x: event.clientX, from: camera.from, moved: false };
    event.currentTarget.setPointerCapture(event.pointerId);
  };
  const onPointerMove = (event: PointerEvent) => {
    const { current } = drag;
    if (current === null || Math.abs(event.clientX - current.x) < 4) return;
    current.moved = true;
    const moved = ((event.clientX - current.x) / size.width) * camera.span;
    setCamera({ ...camera, from: current.from - moved });
  };
  const onPointerUp = (event: PointerEvent) => {
    const { offsetX, offsetY } = event.nativeEvent;
    if (drag.current?.moved === false) select(nodeAt(tree, camera, size, offsetX, offsetY)?.id ?? null);
    drag.current = null;
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const next = neighbour(tree, node, event.key);
    if (next === null) return;
    event.preventDefault();
    select(next.id);
  };
  if (tree.summaries.length === 0)
    return (
      <div className="dag">
        <p className="muted">
          No summaries yet: the whole conversation is in the context. <code>lcm compact</code> creates some.
        </p>
      </div>
    );
  return (
    <div className="dag">
      <div className="tools">
        <button type="button" onClick={() => setCamera(zoomed(camera, 0.5, 1.5))} aria-label="Zoom in">
          +
        </button>
        <button type="button" onClick={() => setCamera(zoomed(camera, 0.5, 0.66))} aria-label="Zoom out">
          −
        </button>
        <button type="button" onClick={() => setCamera(fitAll(tree))}>
          All
        </button>
        <span className="muted">
          {count(tree.summaries.length)} summaries over {count(tree.conversation.messageCount)} messages.
          Outlined: in the context now. Arrow keys move.
        </span>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the picture is moved through by keys, as its label says. */}
      <div className="picture" role="application" tabIndex={0} onKeyDown={onKeyDown} aria-label={LABEL}>
        <canvas
          ref={canvas}
          style={{ height: heightOf(tree) }}
          {...{ onPointerDown, onPointerMove, onPointerUp }}
        />
      </div>
      {node === null ? (
        <p className="muted">Choose a summary to read it, its fidelity, and the exact messages below it.</p>
      ) : (
        <SummaryView id={node} />
      )}
    </div>
  );
}

/** Left and right on a level, up to the summary made from it, down to its sources. */
function neighbour({ summaries }: Tree, id: string | null, key: string): Node | null {
  const now = summaries.find((one) => one.id === id);
  if (now === undefined) return key.startsWith("Arrow") ? (summaries.at(-1) ?? null) : null;
  const level = summaries.filter(({ depth }) => depth === now.depth);
  const place = level.indexOf(now);
  if (key === "ArrowLeft") return level[place - 1] ?? null;
  if (key === "ArrowRight") return level[place + 1] ?? null;
  if (key === "ArrowUp") return summaries.find(({ sources }) => sources.includes(now.id)) ?? null;
  if (key === "ArrowDown") return summaries.find((one) => one.id === now.sources[0]) ?? null;
  return null;
}

/** One summary: text, fidelity and sources. */
function SummaryView({ id }: { readonly id: string }) {
  const { data, error } = useOperation("describe", { id }, { keeps: true });
  if (error !== null) return <p className="error-text">{problemText(error)}</p>;
  if (data?.type !== "summary") return <p className="muted">Loading …</p>;
  const { summary, conversation, madeFrom, inContext } = data;
  const percent = summary.fidelity === null ? "not checked" : `${Math.round(100 * summary.fidelity)}%`;
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
          {count(summary.tokens)} tokens (source: {count(summary.sourceTokens)})
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

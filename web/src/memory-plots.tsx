/** A memory over time: the validity of each version, and the decay of its score. */
import type { OutputOf } from "../../src/http/client.ts";
import { decayOf } from "../../src/memory/forget/decay.ts";
import { time } from "./format.ts";
import { LinePlot } from "./line-plot.tsx";

type Memory = OutputOf<"memory show">["memory"];

const DAY_MS = 86_400_000;

export function FactLine({ versions }: { readonly versions: readonly Memory[] }) {
  const from = Math.min(...versions.map(({ validFrom }) => Date.parse(validFrom)));
  const until = Math.max(Date.now(), from + 1);
  const place = (iso: string | null) =>
    iso === null ? 100 : (100 * (Date.parse(iso) - from)) / (until - from);
  return (
    <ol className="fact-line">
      {versions.map((version) => {
        const ended = version.invalidatedAt ?? version.archivedAt ?? version.erasedAt;
        const [start, end] = [place(version.validFrom), place(ended)];
        return (
          <li key={version.id}>
            <span className="track">
              <span
                className={`held ${version.state}`}
                style={{ left: `${start}%`, width: `${Math.max(1, end - start)}%` }}
              />
            </span>
            <span>{version.abstract || "(erased)"}</span>
            <span className="muted">
              {time(version.validFrom)} – {ended === null ? "now" : time(ended)}
            </span>
          </li>
        );
      })}
    </ol>
  );
}

const DAYS = 180;

/** The same function that ranks memories. */
export function FadingCurve({ memory }: { readonly memory: Memory }) {
  const now = Date.now();
  const points = Array.from({ length: 61 }, (_, index) => {
    const day = (index * DAYS) / 60;
    return { x: day, y: decayOf(memory, now + day * DAY_MS).composite };
  });
  const [first = 0, last = 0] = [points[0]?.y, points.at(-1)?.y];
  return (
    <LinePlot
      points={points}
      label={`Score over the next ${DAYS} days, if it is not used`}
      unit="days"
      most={1}
      shown={first}
      ends={[`now ${first.toFixed(2)}`, `then ${last.toFixed(2)}`]}
    />
  );
}

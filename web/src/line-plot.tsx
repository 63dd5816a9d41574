/** A line over a number, small enough for many of them on a page. */
interface Props {
  readonly points: readonly { readonly x: number; readonly y: number }[];
  readonly label: string;
  /** Of the horizontal axis. */
  readonly unit: string;
  /** Top of the vertical axis. Default: the largest value. */
  readonly most?: number;
  readonly format?: (value: number) => string;
  /** The value next to the label. Default: the last one. */
  readonly shown?: number;
  /** Below both ends of the line. Default: their values. */
  readonly ends?: readonly [first: string, last: string];
}

const WIDTH = 480;
const HEIGHT = 120;

export function LinePlot({
  points,
  label,
  unit,
  most,
  format = (value) => value.toFixed(2),
  shown,
  ends,
}: Props) {
  const [first, last] = [points[0], points.at(-1)];
  if (first === undefined || last === undefined) return <p className="muted">{label}: nothing yet.</p>;
  const top = 1.15 * Math.max(most ?? 0, ...points.map(({ y }) => y)) || 1;
  const span = last.x - first.x || 1;
  const place = ({ x, y }: { x: number; y: number }) =>
    `${(((x - first.x) / span) * WIDTH).toFixed(1)},${(HEIGHT - (y / top) * HEIGHT).toFixed(1)}`;
  const line = points.map(place).join(" ");
  return (
    <figure className="plot">
      <figcaption>
        {label}: <b>{format(shown ?? last.y)}</b>
      </figcaption>
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        role="img"
        aria-label={`${label}: from ${format(first.y)} to ${format(last.y)}`}
        preserveAspectRatio="none"
      >
        <polygon points={`0,${HEIGHT} ${line} ${WIDTH},${HEIGHT}`} />
        <polyline points={line} />
      </svg>
      <p className="axis">
        <span>{ends?.[0] ?? format(first.y)}</span>
        <span>
          {span.toFixed(span < 10 ? 1 : 0)} {unit}
        </span>
        <span>{ends?.[1] ?? format(last.y)}</span>
      </p>
    </figure>
  );
}

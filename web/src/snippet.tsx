import { Fragment } from "react";

interface Props {
  readonly snippet: {
    readonly text: string;
    readonly marks: readonly { readonly start: number; readonly end: number }[];
  };
}

/** Words around a match, with the match marked. */
export function Snippet({ snippet: { text, marks } }: Props) {
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

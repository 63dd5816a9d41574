interface Props {
  readonly hasMore: boolean;
  readonly onMore: () => void;
}

/** The button at the end of a list that has another page. */
export function ShowMore({ hasMore, onMore }: Props) {
  if (!hasMore) return null;
  return (
    <button type="button" onClick={onMore}>
      Show more
    </button>
  );
}

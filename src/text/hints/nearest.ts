/** Suggests names that differ in one or two characters, nearest first. */
const FARTHEST = 2;
const MOST_NAMED = 3;

export function nearest(given: string, names: Iterable<string>): string[] {
  const near: { name: string; distance: number }[] = [];
  for (const name of names) {
    const distance = distanceBetween(given, name);
    if (distance > 0 && distance <= FARTHEST) near.push({ name, distance });
  }
  return near
    .toSorted((a, b) => a.distance - b.distance || (a.name < b.name ? -1 : 1))
    .slice(0, MOST_NAMED)
    .map(({ name }) => name);
}

/** The number of inserted, removed, changed or swapped characters; not exact above two. */
function distanceBetween(a: string, b: string): number {
  if (Math.abs(a.length - b.length) > FARTHEST) return FARTHEST + 1;
  let [before, last] = [[] as number[], Array.from({ length: b.length + 1 }, (_, column) => column)];
  for (let row = 1; row <= a.length; row++) {
    const line = [row];
    for (let column = 1; column <= b.length; column++) {
      const changed = (last[column - 1] ?? 0) + (a[row - 1] === b[column - 1] ? 0 : 1);
      const moved = Math.min((last[column] ?? 0) + 1, (line[column - 1] ?? 0) + 1, changed);
      const isSwap = a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      line.push(isSwap ? Math.min(moved, (before[column - 2] ?? moved) + 1) : moved);
    }
    if (Math.min(...line) > FARTHEST) return FARTHEST + 1;
    [before, last] = [last, line];
  }
  return last[b.length] ?? 0;
}

/** The name that was probably meant: equal except for case, separators or a few additional letters, or longer by a word. */
export function nearName(name: string, known: readonly string[]): string | undefined {
  return (
    known.find((candidate) => isNear(candidate, name)) ?? known.find((candidate) => endsWith(candidate, name))
  );
}

function isNear(a: string, b: string): boolean {
  const [x, y] = [a, b].map((name) => name.replace(/[^a-zA-Z]/g, "").toLowerCase());
  return x !== undefined && y !== undefined && y.length > 3 && (x.startsWith(y) || y.startsWith(x));
}

/** `factKey` ends with the word `key`. */
function endsWith(name: string, word: string): boolean {
  return word !== "" && name.endsWith(word.charAt(0).toUpperCase() + word.slice(1));
}

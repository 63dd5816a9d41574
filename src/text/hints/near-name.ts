/** The name that was probably meant: alike but for case, separators or a few letters more. */
export function nearName(name: string, known: readonly string[]): string | undefined {
  return known.find((candidate) => isNear(candidate, name));
}

function isNear(a: string, b: string): boolean {
  const [x, y] = [a, b].map((name) => name.replace(/[^a-zA-Z]/g, "").toLowerCase());
  return x !== undefined && y !== undefined && y.length > 3 && (x.startsWith(y) || y.startsWith(x));
}

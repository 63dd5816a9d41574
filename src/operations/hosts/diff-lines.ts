/** A line diff of two texts for people: removed and added lines, with some context. `…` stands for unchanged lines between them. */
const AROUND = 2;

export function diffLines(before: string, after: string): string {
  const lines = merged(linesOf(before), linesOf(after));
  const isChanged = (line: string | undefined) => line !== undefined && !line.startsWith("  ");
  const isNear = lines.map((_, at) => lines.slice(Math.max(0, at - AROUND), at + AROUND + 1).some(isChanged));
  const lastNear = isNear.lastIndexOf(true);
  return lines
    .flatMap((line, at) => {
      if (isNear[at]) return [line];
      return at > 0 && isNear[at - 1] && at < lastNear ? ["  …"] : [];
    })
    .join("\n");
}

/** The lines of both, each with its sign, by their longest common subsequence. */
function merged(old: readonly string[], now: readonly string[]): string[] {
  const common = Array.from({ length: old.length + 1 }, () => new Uint32Array(now.length + 1));
  const commonFrom = (i: number, j: number) => common[i]?.[j] ?? 0;
  for (let i = old.length - 1; i >= 0; i--)
    for (let j = now.length - 1; j >= 0; j--)
      (common[i] as Uint32Array)[j] =
        old[i] === now[j]
          ? commonFrom(i + 1, j + 1) + 1
          : Math.max(commonFrom(i + 1, j), commonFrom(i, j + 1));
  const lines: string[] = [];
  let [i, j] = [0, 0];
  while (i < old.length || j < now.length)
    if (i < old.length && j < now.length && old[i] === now[j]) {
      lines.push(`  ${old[i++]}`);
      j++;
    } else if (j === now.length || (i < old.length && commonFrom(i + 1, j) >= commonFrom(i, j + 1)))
      lines.push(`- ${old[i++]}`);
    else lines.push(`+ ${now[j++]}`);
  return lines;
}

function linesOf(text: string): string[] {
  return text === "" ? [] : text.replace(/\n$/, "").split("\n");
}

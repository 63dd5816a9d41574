interface WithTools {
  readonly toolCalls: readonly string[];
  readonly toolResults: readonly string[];
}

/** Items that share a tool call come together, with what stands between them. */
export function unitsOf<Item extends WithTools>(items: readonly Item[]): Item[][] {
  const last = new Map<string, number>();
  items.forEach((item, index) => {
    for (const id of [...item.toolCalls, ...item.toolResults]) last.set(id, index);
  });
  const units: Item[][] = [];
  let end = -1;
  items.forEach((item, index) => {
    if (index > end) units.push([]);
    units.at(-1)?.push(item);
    for (const id of [...item.toolCalls, ...item.toolResults]) end = Math.max(end, last.get(id) ?? 0);
    end = Math.max(end, index);
  });
  return units;
}

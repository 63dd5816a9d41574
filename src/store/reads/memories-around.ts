/** Memories that were made from messages right before and after places of conversations. */
import { AROUND, type MemoriesAround, type MemoryPlace, type NeighbouringMemory } from "../memory-store.ts";
import type { Reader } from "../port.ts";
import { rowList } from "../row-list.ts";
import type { MemoryScopes } from "../rules/memory-scopes.ts";
import { type Dialect, statement } from "../statement.ts";

const PLACE = { scope: "text", conversation: "text", first_seq: "bigint", last_seq: "bigint" } as const;

/** Erased memories have no sources any more. */
function side(d: Dialect, condition: string, order: "ASC" | "DESC"): string {
  const memory = d.join("memories", "m", d.sameMemory("m", "o"));
  const near = `(SELECT o.first_seq, m.number, m.speaker, m.abstract, m.overview, m.content
    FROM memory_sources o ${memory}
    WHERE ${d.ofScope("o", "s")} AND o.conversation_uid = wanted.conversation AND o.kind = 'origin' AND ${condition}
    ORDER BY o.first_seq ${order}, ${d.number("o")} ${order} LIMIT $3) near`;
  const columns = "near.number, near.speaker, near.abstract, near.overview, near.content";
  return d.jsonRows(columns, near, `near.first_seq ${order}, near.number ${order}`);
}

const READ = statement((d) => {
  const before = `o.first_seq >= wanted.first_seq - ${AROUND} AND o.first_seq < wanted.first_seq`;
  const after = `o.first_seq > wanted.last_seq AND o.first_seq <= wanted.last_seq + ${AROUND}`;
  const scope = d.maybe(
    "memory_scopes",
    "s",
    `s.tenant = $1 AND s.scope = wanted.scope AND ${d.among("s.scope", "$2")}`,
  );
  const conversation = d.maybe("conversations", "c", "c.tenant = $1 AND c.uid = wanted.conversation");
  const message = d.maybe("messages", "g", d.message("g", "wanted.first_seq", "c.conversation_id"));
  return `SELECT ${side(d, before, "DESC")} AS before, ${side(d, after, "ASC")} AS after, g.created_at AS said_at
    FROM ${d.rows("$4", "wanted", PLACE)} ${scope} ${conversation} ${message} ORDER BY wanted.key`;
});

export async function readMemoriesAround(
  reader: Reader,
  { tenant, scopes }: MemoryScopes,
  places: readonly MemoryPlace[],
  reach: number,
): Promise<MemoriesAround[]> {
  if (places.length === 0) return [];
  const wanted = rowList(
    places,
    ({ scope }) => scope,
    ({ conversation }) => conversation,
    ({ firstSeq }) => firstSeq,
    ({ lastSeq }) => lastSeq,
  );
  const rows = await reader.rows<{ before: string; after: string; said_at: string | null }>(
    READ,
    tenant,
    scopes,
    reach,
    wanted,
  );
  return rows.map(({ before, after, said_at: saidAt }, place) => {
    const scope = places[place]?.scope ?? "";
    return { before: toNeighbours(scope, before), after: toNeighbours(scope, after), saidAt };
  });
}

type Neighbour = readonly [
  number: number,
  speaker: string | null,
  abstract: string,
  overview: string,
  content: string,
];

function toNeighbours(scope: string, text: string): NeighbouringMemory[] {
  return (JSON.parse(text) as Neighbour[]).map(([number, speaker, abstract, overview, content]) => ({
    ref: { scope, number },
    speaker,
    abstract,
    overview,
    content,
  }));
}

/** The text of many documents at once, for scanning. */
import type { MessageFormat, Scope } from "../../types.ts";
import type { DocumentRef, StoredText } from "../search-store.ts";
import { CONTENT_COLUMNS, type ContentRow, joinSlices, SLICES } from "./content.ts";
import { readFilled } from "./fill-contents.ts";
import { FILES_COLUMN, type FileValue } from "./large-files.ts";
import type { Session } from "./session.ts";

type TextRow = ContentRow & {
  place: number;
  format: MessageFormat | null;
  files: FileValue[] | null;
};

/** One lookup for each document, in one of two tables. */
const SELECT_TEXTS = `
  SELECT page.place::int AS place, page.format, NULL::bigint AS following, ${FILES_COLUMN},
    ${CONTENT_COLUMNS}
  FROM (
    SELECT wanted.place, document.* FROM unnest($3::text[], $4::text[], $5::bigint[]) WITH ORDINALITY
      AS wanted(uid, kind, number, place)
    JOIN conversations c ON c.tenant = $1 AND c.agent = $2 AND c.uid = wanted.uid
    CROSS JOIN LATERAL (
      SELECT m.tenant, m.conversation_id, m.seq, m.large_content, m.format, m.encoding, m.content
      FROM messages m WHERE wanted.kind = 'message'
        AND m.tenant = $1 AND m.conversation_id = c.conversation_id AND m.seq = wanted.number
      UNION ALL SELECT s.tenant, s.conversation_id, NULL, NULL, NULL, s.encoding, s.content
      FROM summaries s WHERE wanted.kind = 'summary'
        AND s.tenant = $1 AND s.conversation_id = c.conversation_id AND s.summary_number = wanted.number
      LIMIT 1) document
    WHERE document.encoding <> 'erased') page
  ${SLICES} ORDER BY page.place, slice.number`;

export async function readTexts(
  session: Session,
  scope: Scope,
  refs: readonly DocumentRef[],
): Promise<StoredText[]> {
  if (refs.length === 0) return [];
  const read = async () =>
    joinSlices(
      await session.rows<TextRow>(
        SELECT_TEXTS,
        scope.tenant,
        scope.agent,
        refs.map(({ conversation }) => conversation),
        refs.map(({ kind }) => kind),
        refs.map(({ number }) => number),
      ),
    );
  const found = await readFilled(session, scope, read, () => ({ payloads: "search" }));
  return found.flatMap(({ row: { place, format }, content }) => {
    const ref = refs[place - 1];
    return ref === undefined || content === null ? [] : [{ ref, format, content }];
  });
}

/** Contents of messages as requested: whole, or with references instead of payloads. */
import { PalimpsestError } from "../../errors.ts";
import { decodeExactly, encodeUtf8 } from "../../text/utf8.ts";
import type { Scope } from "../../types.ts";
import { isWhole, type Shown } from "../file-row.ts";
import type { Payloads, StoredFile } from "../file-store.ts";
import { fillOriginal } from "../payloads.ts";
import { type FileValue, toFile } from "./large-files.ts";
import { type OpenContent, readWholeContents } from "./read-contents.ts";
import type { Session } from "./session.ts";
import type { Transaction } from "./transaction.ts";

/** A row with its content after payloads were cut out. */
interface CutContent<Row> {
  readonly row: Row;
  readonly content: string | Uint8Array | null;
}

interface FilledContent<Row> extends CutContent<Row> {
  readonly files: readonly StoredFile[];
}

type RowWithFiles = { readonly files: readonly FileValue[] | null };

/** How often messages are read again because payloads were put back into them meanwhile. */
const MOST_ATTEMPTS = 5;

/** Reads messages and inserts payloads: one more statement for all of them, and none if no whole payload is requested. */
export async function readFilled<Row extends RowWithFiles>(
  session: Session | Transaction,
  scope: Scope,
  read: () => Promise<Iterable<CutContent<Row>>>,
  shownOf: (row: Row) => Shown,
): Promise<FilledContent<Row>[]> {
  for (let attempt = 1; attempt <= MOST_ATTEMPTS; attempt++) {
    const found = Array.from(await read(), (cut) => ({
      ...cut,
      files: (cut.row.files ?? []).map(toFile),
      shown: shownOf(cut.row),
    }));
    const wanted = found.flatMap(({ content, files, shown }) =>
      content === null ? [] : files.filter((file) => isRead(file, shown.payloads)),
    );
    const contents = wanted.length === 0 ? NONE : await readWholeContents(session, scope, wanted);
    if (contents !== undefined)
      return found.map(({ row, content, files, shown }) => ({
        ...{ row, files },
        content: content === null || files.length === 0 ? content : fill(content, files, shown, contents),
      }));
  }
  throw new PalimpsestError("busy", "messages kept changing while they were read", { advice: "Try again." });
}

const NONE: ReadonlyMap<string, OpenContent> = new Map();

/** A file that was attached beside its message has no place in it. */
function isRead(file: StoredFile, payloads: Payloads): boolean {
  return isWhole(file, payloads) && file.places.length > 0;
}

function fill(
  rest: string | Uint8Array,
  files: readonly StoredFile[],
  shown: Shown,
  contents: ReadonlyMap<string, OpenContent>,
): string | Uint8Array {
  const readContent = (file: StoredFile) => contents.get(file.content)?.() ?? new Uint8Array();
  const filled = fillOriginal(typeof rest === "string" ? encodeUtf8(rest) : rest, files, readContent, shown);
  return decodeExactly(filled) ?? filled;
}

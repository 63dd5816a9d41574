/** Adds and removes segments of the word index of memories. Their scopes are locked. */
import { PalimpsestError } from "../../errors.ts";
import type { MemoryIndexWrite } from "../memory-store.ts";
import type { Port } from "../port.ts";
import type { MemoryScopes } from "../rules/memory-scopes.ts";
import { overtaken } from "../rules/overtaken.ts";
import type { LastNumbers } from "../tables/memory-scopes.ts";
import { dropMemorySegments, insertMemorySegment, roomForSegment } from "../tables/memory-segments.ts";

export async function writeMemoryIndex(
  port: Port,
  access: MemoryScopes,
  { replaces, segment }: MemoryIndexWrite,
  lastNumbers: LastNumbers,
): Promise<number | null> {
  const wanted = [...new Set(replaces)];
  const removed = await dropMemorySegments(port, access, wanted);
  if (removed !== wanted.length) throw overtaken("a segment is not there any more");
  if (segment === null) return null;
  const { scope, first, last } = segment;
  if (first < 1 || first > last || last > (lastNumbers.get(scope) ?? 0))
    throw new PalimpsestError("invalid-input", `${scope} has no memories from ${first} to ${last}`, {
      advice: "Read the index again and build the segment anew; nothing was written.",
    });
  const room = await roomForSegment(port, access.tenant, segment);
  if (room.isTaken) throw overtaken("another process has indexed this");
  if (room.erased !== segment.erased) throw overtaken("something was erased meanwhile");
  return insertMemorySegment(port, access.tenant, segment);
}

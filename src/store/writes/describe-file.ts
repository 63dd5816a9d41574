/** Stores a model's description of a file while its message is shown as itself. */
import { PalimpsestError } from "../../errors.ts";
import type { Scope } from "../../types.ts";
import type { DescribeFileWrite } from "../file-store.ts";
import type { Port } from "../port.ts";
import { requireConversation, touchConversation } from "../tables/conversations.ts";
import { describeFile as describe } from "../tables/large-files.ts";
import { recountTokens, setTokens } from "../tables/messages.ts";

/** Returns the seq of its message. */
export async function describeFile(port: Port, scope: Scope, write: DescribeFileWrite): Promise<number> {
  const { held } = await requireConversation(port, scope, write.id);
  const seq = await describe(held, write.file, write, { mustBeShown: true });
  if (seq === undefined) throw cannotDescribe(write.file);
  setTokens(held, seq, write);
  touchConversation(held, write.at);
  recountTokens(held);
  return seq;
}

function cannotDescribe(file: string): PalimpsestError {
  return new PalimpsestError("busy", `${file} cannot be described: its message changed meanwhile`, {
    advice: "Nothing was written.",
  });
}

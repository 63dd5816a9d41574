import { z } from "zod";
import { PalimpsestError } from "../../errors.ts";
import { defineOperation } from "../operation.ts";
import type { Setup } from "../setup.ts";
import { TokenFile } from "./token-file.ts";

export const revokeToken = defineOperation({
  name: "token-revoke",
  summary: "Revoke a token of the HTTP API. A running server refuses it from then on.",
  input: z.strictObject({ id: z.string().min(1).describe("tok_…, as lcm token list shows it.") }),
  output: z.strictObject({ revoked: z.string().describe("Id of the token.") }),
  command: { positional: ["id"], text: ({ revoked }) => `Revoked ${revoked}.` },
  runsOn: "setup",
  run: async (setup: Setup, { id }) => {
    if (await new TokenFile(setup.loadUsable().config.dataDir).revoke(id)) return { revoked: id };
    throw new PalimpsestError("not-found", `no token ${id}`, {
      advice: "List the tokens with: lcm token list.",
    });
  },
});

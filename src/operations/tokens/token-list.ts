import { z } from "zod";
import { oneLine } from "../../text/escape-controls.ts";
import { table } from "../../text/terminal/table.ts";
import { defineOperation } from "../operation.ts";
import type { Setup } from "../setup.ts";
import { TokenFile } from "./token-file.ts";
import { tokenSchema, toToken } from "./token-schema.ts";

export const listTokens = defineOperation({
  name: "token-list",
  summary: "List the tokens of the HTTP API.",
  input: z.strictObject({}),
  output: z.strictObject({ tokens: z.array(tokenSchema).describe("Every token, oldest first.") }),
  command: {
    text: ({ tokens }, { look, suggest }) => {
      if (tokens.length === 0) return `No tokens. Create one with: ${suggest("token create <name>")}`;
      const rows = tokens.map((token) => [
        token.id,
        oneLine(token.name),
        `${oneLine(token.tenant)}/${oneLine(token.agent)}`,
        token.rights.join(", "),
        look.time(token.createdAt),
        token.expiresAt === null ? "never" : look.time(token.expiresAt),
      ]);
      const titles = ["token", "name", "tenant/agent", "rights", "created", "expires"];
      return table(
        titles.map((title) => ({ title })),
        rows,
        look,
      );
    },
  },
  runsOn: "setup",
  run: async (setup: Setup) => {
    const tokens = await new TokenFile(setup.loadUsable().config.dataDir).list();
    return { tokens: tokens.map(toToken) };
  },
});

import { z } from "zod";
import { oneLine } from "../../text/escape-controls.ts";
import { shownName } from "../../text/given.ts";
import { isoTime } from "../../text/timestamps.ts";
import { defineOperation } from "../operation.ts";
import type { Setup } from "../setup.ts";
import { RIGHTS, type Right, TokenFile } from "./token-file.ts";
import { tokenSchema, toToken } from "./token-schema.ts";

const DAY_MS = 86_400_000;
const DEFAULT_RIGHTS: readonly Right[] = ["read"];

const inputSchema = z.strictObject({
  name: shownName.max(100).describe("What it is for, such as grafana."),
  rights: z
    .array(z.enum(RIGHTS))
    .min(1)
    .readonly()
    .exactOptional()
    .describe(
      "read and write: this tenant and agent. erase: also delete and erase there. metrics: read /metrics. admin: everything, on the whole store. Default: read.",
    ),
  days: z.int().min(1).max(3_650).exactOptional().describe("Days until it expires. Default: never."),
});

export const createToken = defineOperation({
  name: "token-create",
  summary: "Create a token for the HTTP API, bound to the configured tenant and agent. It is shown once.",
  input: inputSchema,
  output: z.strictObject({
    token: z.string().describe("The token. Only its hash is stored."),
    ...tokenSchema.shape,
  }),
  command: {
    positional: ["name"],
    flags: { days: { value: "days" } },
    examples: [
      ["lcm token create laptop --right read,write"],
      ["lcm token create grafana --right metrics --days 90"],
      ["lcm --tenant acme --agent support token create support-bot --right read,write"],
    ],
    text: ({ token, id, tenant, agent, rights }) =>
      [
        token,
        `${id}: ${rights.join(", ")} for ${oneLine(tenant)}/${oneLine(agent)}. Save it now: it is not shown again.`,
      ].join("\n"),
  },
  runsOn: "setup",
  run: async (setup: Setup, { name, rights = DEFAULT_RIGHTS, days }) => {
    const { dataDir, tenant, agent } = setup.loadUsable().config;
    const now = Date.now();
    const { token, record } = await new TokenFile(dataDir).create({
      ...{ name, tenant, agent, rights },
      createdAt: isoTime(now),
      expiresAt: days === undefined ? null : isoTime(now + days * DAY_MS),
    });
    return { token, ...toToken(record) };
  },
});

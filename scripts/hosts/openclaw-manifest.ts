// The plugin manifest that OpenClaw reads before it loads any code: slots, tools, and settings, which the
// host shows as a form.
import { z } from "zod";
import { TOOL_DEFINITIONS } from "../../plugins/openclaw/tools.ts";
import { configSchema, SECRET_KEYS } from "../../src/config/schema.ts";

/** These are defaults of the machine that builds the package. */
const MACHINE_KEYS = ["dataDir"];

export function openclawManifest(version: string): object {
  return {
    ...{ id: "palimpsest", name: "Palimpsest", version },
    description: "Keeps every message, shows the model a context that fits, and remembers across sessions.",
    kind: ["memory", "context-engine"],
    categories: ["context"],
    activation: { onStartup: true },
    commandAliases: [{ name: "lcm" }],
    contracts: { tools: TOOL_DEFINITIONS.map(({ name }) => name) },
    uiHints: Object.fromEntries(SECRET_KEYS.map((key) => [key, { sensitive: true }])),
    configSchema: settingsSchema(),
  };
}

function settingsSchema(): object {
  const { properties = {} } = z.toJSONSchema(configSchema, { io: "input", unrepresentable: "any" });
  const shown = Object.entries(properties).map(([key, property]) => {
    if (!MACHINE_KEYS.includes(key) || typeof property === "boolean") return [key, property];
    const { default: _, ...rest } = property;
    return [key, rest];
  });
  return { type: "object", additionalProperties: false, properties: Object.fromEntries(shown) };
}

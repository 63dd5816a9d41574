/** Writes the pages of docs/reference from the schemas. A test compares them, so that they stay current. */
import { writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { z } from "zod";
import { flagsText } from "../src/cli/add-operation.ts";
import { type Parameter, parametersOf } from "../src/cli/parameters.ts";
import {
  CONFIG_KEYS,
  type ConfigKey,
  configSchema,
  DROPPED_KEYS,
  environmentName,
} from "../src/config/schema.ts";
import { MODEL_TOOLS, type ModelTool, operations } from "../src/operations/index.ts";
import { type AnyOperation, OTHER_WORDS } from "../src/operations/registry.ts";

export const CONFIGURATION_PAGE = "docs/reference/configuration.md";
export const TOOLS_PAGE = "docs/reference/tools.md";
export const COMMANDS_PAGE = "docs/reference/commands.md";

interface Property {
  readonly type?: string | readonly string[];
  readonly enum?: readonly string[];
  readonly items?: Property;
  readonly anyOf?: readonly Property[];
  readonly description?: string;
}

export function configurationPage(): string {
  const schema = z.toJSONSchema(configSchema, { io: "input", unrepresentable: "any" });
  const properties = (schema.properties ?? {}) as Record<string, Property>;
  const rows = CONFIG_KEYS.map((key) => row(key, properties[key] ?? {}));
  const dropped = Object.entries(DROPPED_KEYS).map(([key, reason]) => `- \`${key}\`: ${reason}.`);
  return `# Configuration

Generated from \`src/config/schema.ts\` by \`npm run docs\`.

Values are taken in this order: the command line or the caller's options, the \`LCM_*\` environment variable, the
configuration file, the default. The file is a JSON object: \`--config\`, \`LCM_CONFIG\`, or \`config.json\` in the data
folder. An unknown name or an invalid value is an error that names it. \`lcm config show\` prints every value and its
source.

| setting | environment | type | default | what it does |
|---|---|---|---|---|
${rows.join("\n")}

Settings of other systems that are not supported:

${dropped.join("\n")}
`;
}

export function toolsPage(): string {
  return `# Tools for models

Generated from \`src/operations\` by \`npm run docs\`. [Searching](../guide/searching.md) explains how to combine them.

${MODEL_TOOLS.map(toolSection).join("\n\n")}
`;
}

function toolSection({ name, description, input, aliases }: ModelTool): string {
  const { properties = {}, required = [] } = z.toJSONSchema(input, { io: "input" });
  const rows = Object.entries(properties as Record<string, Property>).map(
    ([field, property]) =>
      `| \`${field}\`${required.includes(field) ? " (required)" : ""} | ${typeName(property)} | ${property.description ?? ""} |`,
  );
  return `## ${name}

${description}

| field | type | description |
|---|---|---|
${rows.join("\n")}${aliasLine(aliases)}`;
}

export function commandsPage(): string {
  const sections = Object.entries<AnyOperation>(operations).map(([words, one]) => commandSection(words, one));
  return `# Commands

Generated from \`src/operations\` by \`npm run docs\`. \`lcm --help\` lists the options of all commands, such as
\`--data\` and \`--json\`, and the exit codes. This page does not cover commands that are not operations, such as
\`lcm mcp\` and \`lcm completion\`: see their \`--help\`.

${sections.join("\n\n")}
`;
}

function commandSection(words: string, operation: AnyOperation): string {
  const parameters = parametersOf(operation);
  const { examples = [], question } = operation.command;
  const names = [
    words,
    ...Object.entries(OTHER_WORDS).flatMap(([other, meant]) => (meant === words ? other : [])),
  ];
  const given = parameters.filter(({ isPositional }) => isPositional).map(wordText);
  const rows = [
    ...parameters.map((one) => `| \`${one.isPositional ? wordText(one) : flagsText(one)}\` | ${told(one)} |`),
    ...(question === undefined ? [] : ["| `--yes` | Skip the confirmation. |"]),
  ];
  const table = rows.length === 0 ? [] : [`| argument | description |\n|---|---|\n${rows.join("\n")}`];
  const shown = examples.map(([line, remark]) => (remark === undefined ? line : `${line}  # ${remark}`));
  const sample = shown.length === 0 ? [] : [`\`\`\`sh\n${shown.join("\n")}\n\`\`\``];
  const title = names.map((name) => ["lcm", name, ...given].join(" ")).join(", ");
  const tool = operation.tool === undefined ? "" : ` Models call it as \`${operation.tool.name}\`.`;
  return [`## ${title.replaceAll("<", "\\<")}`, `${operation.summary}${tool}`, ...table, ...sample].join(
    "\n\n",
  );
}

function wordText({ isRequired, value }: Parameter): string {
  return isRequired ? `<${value}>` : `[${value}]`;
}

function told({ description, choices = [] }: Parameter): string {
  const isTold = choices.every((choice) => description.includes(choice));
  return (isTold ? description : `${description} One of ${choices.join(", ")}.`).replaceAll("|", "\\|");
}

function aliasLine(aliases: ModelTool["aliases"]): string {
  const names = Object.entries(aliases).map(([name, { means }]) => `\`${name}\` (${means})`);
  return names.length === 0 ? "" : `\n\nAlso accepts argument names of other systems: ${names.join(", ")}.`;
}

function row(key: ConfigKey, property: Property): string {
  const cells = [
    `\`${key}\``,
    `\`${environmentName(key)}\``,
    typeName(property),
    defaultText(key),
    property.description ?? "",
  ];
  return `| ${cells.join(" | ")} |`;
}

function typeName(property: Property): string {
  if (property.enum) return property.enum.map((name) => `\`${name}\``).join(" ");
  if (property.anyOf)
    return property.anyOf
      .map(typeName)
      .filter((name) => name !== "null" && name !== "")
      .join(" or ");
  const types = [property.type ?? []].flat().filter((name) => name !== "null" && name !== "");
  if (!types.includes("array")) return types.join(" or ");
  return `list of ${typeName(property.items ?? {})}${property.items?.enum ? "" : "s"}`;
}

/** Defaults that depend on the machine are described, not printed. */
const DESCRIBED: Partial<Record<ConfigKey, string>> = {
  dataDir: "`~/.palimpsest`",
  timezone: "the system's",
};

function defaultText(key: ConfigKey): string {
  const value = configSchema.shape[key].safeParse(undefined).data;
  return DESCRIBED[key] ?? (value === null ? "none" : `\`${JSON.stringify(value)}\``);
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  writeFileSync(CONFIGURATION_PAGE, configurationPage());
  writeFileSync(TOOLS_PAGE, toolsPage());
  writeFileSync(COMMANDS_PAGE, commandsPage());
}

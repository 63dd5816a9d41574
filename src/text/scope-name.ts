/** Names of memory scopes. What is not written exactly so names nothing, and is denied. */

const ID = "[A-Za-z0-9][A-Za-z0-9._@-]{0,127}";
const SCOPE_NAME = new RegExp(`^(?:global|(?:agent|project|user|custom):${ID}|reflection:agent:${ID})$`);

export function isScopeName(text: unknown): text is string {
  return typeof text === "string" && SCOPE_NAME.test(text);
}

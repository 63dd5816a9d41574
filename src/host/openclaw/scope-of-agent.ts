const DEFAULT_AGENT = "main";

/**
 * The host's default agent uses the configured scope, so that commands show its conversations without a setting; every
 * other agent has its own scope.
 */
export function scopeOfAgent(agent: string): { readonly agent?: string } {
  return agent === DEFAULT_AGENT ? {} : { agent };
}

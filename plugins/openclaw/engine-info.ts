/** Engine metadata that the host needs before the first call. Without it, the host would use its own engine. */
export const ENGINE_ID = "palimpsest";

export const ENGINE_INFO = {
  ...{ id: ENGINE_ID, name: "Palimpsest", ownsCompaction: true, turnMaintenanceMode: "background" },
  transcriptSemantics: {
    currentTurnFence: "before-current-turn-entry-v1",
    turnAdvancementIdempotency: "atomic-idempotent-v1",
  },
} as const;

/** What the host must know of the engine before it calls it. Without these semantics it would use its own instead. */
export const ENGINE_ID = "palimpsest";

export const ENGINE_INFO = {
  ...{ id: ENGINE_ID, name: "Palimpsest", ownsCompaction: true, turnMaintenanceMode: "background" },
  transcriptSemantics: {
    currentTurnFence: "before-current-turn-entry-v1",
    turnAdvancementIdempotency: "atomic-idempotent-v1",
  },
} as const;

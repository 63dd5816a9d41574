/** Types and functions for building a plugin. */
export type {
  EntriesInput,
  EntriesReport,
  HostTranscriptEntry,
  HostTranscriptEvent,
} from "../context/ingest/import-entries.ts";
export type { ReconcileInput, ReconcileResult } from "../context/ingest/reconcile-view.ts";
export type { Engine } from "../engine.ts";
export { isPalimpsestError } from "../errors.ts";
export { HostBridge, type HostBridgeOptions } from "./bridge.ts";
export { type EngineLease, type SharedEngineOptions, shareEngine } from "./shared-engine.ts";
export type {
  AssembleForHost,
  CompactedForHost,
  CompactForHost,
  HostContext,
  HostEntry,
  HostSession,
  HostSummary,
  PresentForHost,
  SessionChange,
  TendForHost,
} from "./types.ts";

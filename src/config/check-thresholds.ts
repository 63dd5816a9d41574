/** What one threshold demands of another: target < soft ≤ hard, or compaction would never end or never begin. */
interface Thresholds {
  readonly compactTarget: number;
  readonly contextThreshold: number;
  readonly hardThreshold: number;
}

interface Findings {
  addIssue(issue: { code: "custom"; path: string[]; message: string }): void;
}

export function checkThresholds(settings: Thresholds, findings: Findings): void {
  const refuse = (key: keyof Thresholds, message: string) =>
    findings.addIssue({ code: "custom", path: [key], message });
  if (settings.compactTarget >= settings.contextThreshold)
    refuse("compactTarget", `must be less than contextThreshold (${settings.contextThreshold})`);
  if (settings.hardThreshold < settings.contextThreshold)
    refuse("hardThreshold", `must be at least contextThreshold (${settings.contextThreshold})`);
}

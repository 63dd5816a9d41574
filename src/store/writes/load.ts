/** Loads the rows of a dump inside one transaction. */
import { PalimpsestError } from "../../errors.ts";
import type { Port } from "../port.ts";
import type { DumpRow, LoadReport, NamedDamage } from "../store.ts";
import { addAudit } from "../tables/audit-log.ts";
import { countRows } from "../tables/tenant-counts.ts";
import { LoadedConversation } from "./load-conversation.ts";
import { LoadedMemories } from "./load-memories.ts";
import { rememberKeys } from "./write-certificate.ts";

export class Loader {
  readonly #port: Port;
  readonly #memories: LoadedMemories;
  #current: LoadedConversation | undefined;
  readonly #damages: NamedDamage[] = [];
  /** How many audit records were added for each tenant. */
  readonly #records = new Map<string, number>();
  readonly #report = { conversations: 0, messages: 0, summaries: 0, alreadyThere: 0 };

  constructor(port: Port) {
    this.#port = port;
    this.#memories = new LoadedMemories(port);
  }

  async take(row: DumpRow): Promise<void> {
    switch (row.row) {
      case "conversation":
        await this.#endCurrent();
        this.#current = await LoadedConversation.start(this.#port, row);
        return;
      case "audit":
        await this.#endCurrent();
        rememberKeys(this.#port, row, row);
        return this.#addAudit(row);
      case "memory":
      case "decision":
      case "capture":
        await this.#endCurrent();
        return this.#memories.take(row);
      case "damage":
        return this.#note(row);
      default:
        return this.#belongingTo(row.conversation).take(row);
    }
  }

  async finish(): Promise<LoadReport> {
    await this.#endCurrent();
    await this.#memories.end();
    for (const [tenant, auditRecords] of this.#records) countRows(this.#port, tenant, { auditRecords });
    await this.#port.settle();
    return { ...this.#report, memories: this.#memories.added, damages: this.#damages };
  }

  /** Call this if the load is not finished. */
  abandon(): void {
    this.#current?.abandon();
  }

  async #endCurrent(): Promise<void> {
    const counts = await this.#current?.end();
    this.#current = undefined;
    if (counts === undefined) return;
    this.#report.conversations += counts.isNew ? 1 : 0;
    this.#report.messages += counts.added;
    this.#report.summaries += counts.summaries;
    this.#report.alreadyThere += counts.alreadyThere;
  }

  async #addAudit(row: Extract<DumpRow, { row: "audit" }>): Promise<void> {
    const added = await addAudit(this.#port, row, row);
    this.#records.set(row.tenant, (this.#records.get(row.tenant) ?? 0) + added);
  }

  #note({ row: _, ...damage }: Extract<DumpRow, { row: "damage" }>): void {
    if (damage.conversation !== null) this.#belongingTo(damage.conversation).expectDamage();
    this.#damages.push(damage);
  }

  #belongingTo(conversation: string): LoadedConversation {
    if (this.#current?.id === conversation) return this.#current;
    throw new PalimpsestError("invalid-input", `a row of ${conversation} is outside its conversation`, {
      advice: "The export was changed. Export again; nothing was written.",
    });
  }
}

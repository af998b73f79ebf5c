import type { Entry, Head, SeenCheckpoint, SpentReceipt } from "./entry";

export type JournalMemory = {
  readonly heads: Map<string, Head>;
  readonly spent: Map<string, SpentReceipt>;
  readonly checkpoints: Map<string, SeenCheckpoint>;
  /** By id. */
  readonly notices: Map<string, "restored" | "accepted">;
  /** ms since 1970 */
  since: number | null;
};

export const createEmptyMemory = (): JournalMemory => ({
  heads: new Map(),
  spent: new Map(),
  checkpoints: new Map(),
  notices: new Map(),
  since: null,
});

/** Adds an entry. The longest ledger and log win, in any order. */
export const addEntry = (memory: JournalMemory, entry: Entry): void => {
  switch (entry.type) {
    case "opened":
      memory.since = Math.min(memory.since ?? entry.since, entry.since);
      break;
    case "head":
      if ((memory.heads.get(entry.run)?.version ?? -1) < entry.version) {
        memory.heads.set(entry.run, { version: entry.version, digest: entry.digest });
      }
      break;
    case "spent": {
      const { type: _type, ...receipt } = entry;
      if (!memory.spent.has(receipt.nonce)) memory.spent.set(receipt.nonce, receipt);
      break;
    }
    case "checkpoint": {
      const { type: _type, ...checkpoint } = entry;
      if ((memory.checkpoints.get(entry.origin)?.count ?? -1) < entry.count) memory.checkpoints.set(entry.origin, checkpoint);
      break;
    }
    case "noticed":
      memory.notices.set(entry.id, entry.kind);
      break;
    case "closed":
      break;
    default:
      entry satisfies never;
  }
};

/** Grace, since machines' clocks differ. */
const EXPIRED_MS = 86_400_000;

/** Equivalent entries, without expired receipts. */
export function* snapshotEntries(memory: JournalMemory, now: number): Generator<Entry> {
  yield { type: "opened", v: 1, since: memory.since ?? now };
  for (const [id, kind] of memory.notices) yield { type: "noticed", id, kind };
  for (const receipt of memory.spent.values()) if (receipt.expires_at + EXPIRED_MS > now) yield { type: "spent", ...receipt };
  for (const checkpoint of memory.checkpoints.values()) yield { type: "checkpoint", ...checkpoint };
  for (const [run, head] of memory.heads) yield { type: "head", run, ...head };
}

export const addAll = (memory: JournalMemory, entries: Iterable<Entry>): JournalMemory => {
  for (const entry of entries) addEntry(memory, entry);

  return memory;
};

/** Forgets history after a restore; spent receipts stay spent. */
export const forgetHistory = (memory: JournalMemory): void => {
  memory.heads.clear();
  memory.checkpoints.clear();
};

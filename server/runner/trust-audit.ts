import { POLICY_HASH } from "@/lib/engine/approvals/policy";
import { recordSchema, type LedgerRecord } from "@/lib/engine/ledger/record";
import { applyRecord } from "@/lib/engine/reduce";
import { createRunState } from "@/lib/engine/state";
import type { StoredRecord } from "@/lib/engine/ledger/stored-record";
import { describeTrustEvent } from "@/lib/engine/labels/trust-event";
import { listTrustEvents } from "@/lib/engine/labels/trust-events";
import { getWorkspaceLedgerId } from "@/lib/engine/ledger/workspace-ledger";
import { loadLedger } from "@/server/store/ledger/ledger";
import { listStoredTrust, listTrustRuns } from "@/server/store/trust/log";
import { ownRecords, listRecordedRuns } from "@/server/store/workspaces/log";

/** `trust_missing`: a record without its event. `trust_forged`: an event without a record. */
export type TrustFault = {
  readonly reason: "trust_missing" | "trust_forged";
  readonly run: string;
  readonly seq: number;
  readonly index: number;
};

/** A fork's ledger begins with its parent's records. */
const recordsOf = async (workspaceId: string, run: string): Promise<LedgerRecord[]> => {
  const stored: readonly StoredRecord[] =
    run === getWorkspaceLedgerId(workspaceId) ? await ownRecords(workspaceId, run) : (await loadLedger(workspaceId, run)).records;

  return stored.map(({ body }) => recordSchema.parse(JSON.parse(body)));
};

/** Needs no values: trust events hold none. */
const saidBy = (run: string, records: readonly LedgerRecord[]): ReadonlyMap<string, string> => {
  const [first] = records;
  const said = new Map<string, string>();
  let state = createRunState(first?.workspace ?? "", first?.run ?? run, first?.graph_hash ?? "", POLICY_HASH);
  for (const record of records) {
    state = applyRecord(state, { record, digest: "", kid: "", signature: "" }, []);
    if (record.run !== run) continue;
    for (const event of listTrustEvents(record, state)) said.set(`${event.seq}.${event.index}`, describeTrustEvent(event));
  }

  return said;
};

const faultsOf = async (workspaceId: string, run: string): Promise<TrustFault[]> => {
  // Records first: what a live run adds meanwhile is judged next time.
  const records = await recordsOf(workspaceId, run);
  const last = records.at(-1)?.seq;
  const stored = await listStoredTrust(workspaceId, run, last === undefined ? null : last + 1);
  const said = saidBy(run, records);
  const place = ({ seq, index }: { readonly seq: number; readonly index: number }) => `${seq}.${index}`;
  const there = new Set(stored.map(place));
  const forged = stored.filter((row) => !("type" in row) || said.get(place(row)) !== describeTrustEvent(row));
  const missing = [...said.keys()].filter((at) => !there.has(at)).map((at) => at.split(".").map(Number));

  return [
    ...forged.map(({ seq, index }): TrustFault => ({ reason: "trust_forged", run, seq, index })),
    ...missing.map(([seq = 0, index = 0]): TrustFault => ({ reason: "trust_missing", run, seq, index })),
  ].toSorted((a, b) => a.seq - b.seq || a.index - b.index);
};

const MOST_FAULTS = 100;

/** Lists the first hundred differing rows; `auditWorkspace` judges the records. */
export const listTrustFaults = async (workspaceId: string): Promise<TrustFault[]> => {
  const runs = new Set([...(await listRecordedRuns(workspaceId)), ...(await listTrustRuns(workspaceId))]);
  const faults: TrustFault[] = [];
  for (const run of [...runs].toSorted()) {
    faults.push(...(await faultsOf(workspaceId, run)));
    if (faults.length >= MOST_FAULTS) break;
  }

  return faults.slice(0, MOST_FAULTS);
};

import type { ForkEvent } from "@/lib/engine/forks/fork";
import type { LedgerRecord } from "@/lib/engine/ledger/record";

export const forkIn = (record: LedgerRecord): ForkEvent | undefined => {
  const event = record.control.find((candidate) => candidate.type === "run_forked");

  return event?.type === "run_forked" ? event : undefined;
};

/** Returns whether a record may follow `run`'s. */
export const canFollow = (record: LedgerRecord, run: string | null): boolean => {
  const forked = forkIn(record);
  if (!forked) return run === null || record.run === run;
  const isNamed = run === null ? record.seq === 0 : forked.parent_run === run;

  return isNamed && forked.run === record.run && forked.parent_seq === record.seq && record.run !== run;
};

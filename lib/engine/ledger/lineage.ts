/** Where one run's records go on from another's. A ledger is read from the first record of the first run. */
import type { ForkEvent } from "@/lib/engine/forks/fork";
import type { LedgerRecord } from "@/lib/engine/ledger/record";

/** The fork that a record begins, if it does. */
export const forkIn = (record: LedgerRecord): ForkEvent | undefined => {
  const event = record.control.find((candidate) => candidate.type === "run_forked");

  return event?.type === "run_forked" ? event : undefined;
};

/**
 * Whether a record may stand after one of `run` (null: it is the first of all): it is of the same run, or begins a fork
 * that names that run and this place.
 */
export const mayFollow = (record: LedgerRecord, run: string | null): boolean => {
  const forked = forkIn(record);
  if (!forked) return run === null || record.run === run;
  const isNamed = run === null ? record.seq === 0 : forked.parent_run === run;

  return isNamed && forked.run === record.run && forked.parent_seq === record.seq && record.run !== run;
};

/** A run as the endpoint reads it: verified, and as it was after one of its records. */
import type { PublishedGraph } from "@/lib/graph/document";
import { isTerminal, type RunEvent } from "@/lib/engine/event";
import { publishedOf } from "@/lib/engine/forks/fork";
import type { LedgerRecord } from "@/lib/engine/ledger/record";
import { applyRecords } from "@/lib/engine/reduce";
import { entriesIn } from "@/lib/engine/ledger/replay";
import type { Sealed } from "@/lib/engine/labels/reading";
import type { RunState } from "@/lib/engine/state";
import { stateBefore, type LedgerEntry } from "@/lib/engine/timeline";
import { verifiedWhole } from "@/server/web/opened-run";
import type { Caller } from "./caller";

/** Everything of it is there, hidden values too: only projections of it leave. */
export type Opened = {
  readonly runId: string;
  readonly published: PublishedGraph;
  readonly entries: readonly LedgerEntry[];
  readonly state: RunState;
  /** What open review cases keep from readers, now. */
  readonly sealed: Sealed;
};

type Moved = Extract<RunEvent, { type: "status_changed" }>;

const settles = ({ to }: Moved): boolean => to === "waiting" || isTerminal(to);

/** Whether the run rested, waited for a person or was over after this record. */
const isRest = ({ control }: LedgerRecord): boolean => {
  const last = control.findLast((event): event is Moved => event.type === "status_changed");

  return last !== undefined && settles(last);
};

/** The record after which a run came to rest that was at work from this one on. */
export const restAfter = ({ entries }: Pick<Opened, "entries">, seq: number): number | null =>
  entries.find(({ signed: { record } }) => record.seq >= seq && isRest(record))?.signed.record.seq ?? null;

/**
 * @param lastSeq the last record that counts; absent: all of them
 * @throws AppError not_found, or refused when the ledger does not verify
 */
export const openRun = async ({ workspaceId }: Caller, runId: string, lastSeq = Infinity): Promise<Opened> => {
  const { version, ledger, sealed } = await verifiedWhole(workspaceId, runId);
  const entries = entriesIn(ledger).filter(({ signed }) => signed.record.seq <= lastSeq);
  const state = applyRecords(stateBefore(entries[0]?.signed), entries);

  return { runId, published: publishedOf(version.published, state), entries, state, sealed };
};

/** The run as it was when it came to rest after a record; as it is now when it has not. */
export const openAtRest = async (caller: Caller, runId: string, seq: number): Promise<Opened> => {
  const now = await openRun(caller, runId);
  const rest = restAfter(now, seq);

  return rest === null || rest >= now.state.version - 1 ? now : openRun(caller, runId, rest);
};

import type { PublishedGraph } from "@/lib/graph/document";
import { isTerminal, type RunEvent } from "@/lib/engine/event";
import { getPublished } from "@/lib/engine/forks/fork";
import type { LedgerRecord } from "@/lib/engine/ledger/record";
import { applyRecords } from "@/lib/engine/reduce";
import { listEntries } from "@/lib/engine/ledger/replay";
import type { Sealed } from "@/lib/engine/labels/reading";
import type { RunState } from "@/lib/engine/state";
import { stateBefore, type LedgerEntry } from "@/lib/engine/timeline";
import { openVerifiedWholeRun } from "@/server/web/open-run";
import type { Caller } from "./caller";

/** Includes hidden values; only projections leave the process. */
export type Opened = {
  readonly runId: string;
  readonly published: PublishedGraph;
  readonly entries: readonly LedgerEntry[];
  readonly state: RunState;
  readonly sealed: Sealed;
};

type Moved = Extract<RunEvent, { type: "status_changed" }>;

const settles = ({ to }: Moved): boolean => to === "waiting" || isTerminal(to);

/** Returns whether the run came to rest after this record. */
const isRest = ({ control }: LedgerRecord): boolean => {
  const last = control.findLast((event): event is Moved => event.type === "status_changed");

  return last !== undefined && settles(last);
};

/** Finds where a working run came to rest. */
export const settleAfter = ({ entries }: Pick<Opened, "entries">, seq: number): number | null =>
  entries.find(({ signed: { record } }) => record.seq >= seq && isRest(record))?.signed.record.seq ?? null;

/** Opens a run. @param lastSeq absent: all records @throws AppError `not_found`, or `refused` for an invalid ledger */
export const openRun = async ({ workspaceId }: Caller, runId: string, lastSeq = Infinity): Promise<Opened> => {
  const { version, ledger, sealed } = await openVerifiedWholeRun(workspaceId, runId);
  const entries = listEntries(ledger).filter(({ signed }) => signed.record.seq <= lastSeq);
  const state = applyRecords(stateBefore(entries[0]?.signed), entries);

  return { runId, published: getPublished(version.published, state), entries, state, sealed };
};

/** Opens the run at rest after a record, else now. */
export const openAtRest = async (caller: Caller, runId: string, seq: number): Promise<Opened> => {
  const now = await openRun(caller, runId);
  const rest = settleAfter(now, seq);

  return rest === null || rest >= now.state.version - 1 ? now : openRun(caller, runId, rest);
};

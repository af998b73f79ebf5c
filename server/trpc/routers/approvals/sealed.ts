import { NOTHING_SEALED, placeKey, type Sealed } from "@/lib/engine/labels/reading";
import type { SignedRecord } from "@/lib/engine/ledger/record";
import { findCellsAt, type Cell, type GateState, type RunState } from "@/lib/engine/state";

type SealedCell = Pick<Cell, "path" | "seq" | "index">;

const openedFor = (records: readonly SignedRecord[], caseId: string, user: string): ReadonlySet<string> =>
  new Set(
    records.flatMap(({ record }) =>
      record.control.flatMap((event) =>
        event.type === "cell_opened" && event.case_id === caseId && event.by === `user:${user}` ? [placeKey(event)] : [],
      ),
    ),
  );

const isDesk = ({ gate, status }: GateState): boolean => gate.reason === "review" && status === "open";

/** Returns values sealed from this reader until opened on record. @param sealed from everyone */
export const sealedTo = (gateState: GateState, records: readonly SignedRecord[], user: string, sealed: Sealed): Sealed => {
  if (sealed.size === 0 || !isDesk(gateState)) return sealed;
  const opened = openedFor(records, gateState.gate.id, user);

  return opened.size === 0 ? sealed : new Set([...sealed].filter((place) => !opened.has(place)));
};

/** Lists an open case's cells that this reader has not opened. */
export const listCellsToOpen = (state: RunState, gateState: GateState, sealed: Sealed = NOTHING_SEALED): SealedCell[] => {
  if (!isDesk(gateState)) return [];
  const cells = new Map(gateState.gate.review_keys.flatMap((path) => findCellsAt(state.cells, path)).map((cell) => [placeKey(cell), cell]));

  return [...cells].flatMap(([key, { path, seq, index }]) => (sealed.has(key) ? [{ path, seq, index }] : []));
};

/** What is under review is sealed on the way to its reviewers: each of them sees it once the ledger says that they opened it. */
import { NOTHING_SEALED, placeKey, type Sealed } from "@/lib/engine/labels/reading";
import type { SignedRecord } from "@/lib/engine/ledger/record";
import { cellsAt, type Cell, type GateState, type RunState } from "@/lib/engine/state";

type SealedCell = Pick<Cell, "path" | "seq" | "index">;

/** The cells that this person opened for a case. */
const openedFor = (records: readonly SignedRecord[], caseId: string, user: string): ReadonlySet<string> =>
  new Set(
    records.flatMap(({ record }) =>
      record.control.flatMap((event) =>
        event.type === "cell_opened" && event.case_id === caseId && event.by === `user:${user}` ? [placeKey(event)] : [],
      ),
    ),
  );

/** The gate of a case that is open: the one place where what was opened for it is shown. */
const isDesk = ({ gate, status }: GateState): boolean => gate.reason === "review" && status === "open";

/** What is sealed to this reader of a gate. @param sealed to everybody */
export const sealedTo = (gateState: GateState, records: readonly SignedRecord[], user: string, sealed: Sealed): Sealed => {
  if (sealed.size === 0 || !isDesk(gateState)) return sealed;
  const opened = openedFor(records, gateState.gate.id, user);

  return opened.size === 0 ? sealed : new Set([...sealed].filter((place) => !opened.has(place)));
};

/** The cells of a case that this reader has yet to open; none at a gate of another kind, or once the gate is closed. */
export const cellsToOpen = (state: RunState, gateState: GateState, sealed: Sealed = NOTHING_SEALED): SealedCell[] => {
  if (!isDesk(gateState)) return [];
  const cells = new Map(gateState.gate.review_keys.flatMap((path) => cellsAt(state.cells, path)).map((cell) => [placeKey(cell), cell]));

  return [...cells].flatMap(([key, { path, seq, index }]) => (sealed.has(key) ? [{ path, seq, index }] : []));
};

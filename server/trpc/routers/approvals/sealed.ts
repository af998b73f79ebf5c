/** What others wrote is sealed on the way to its reviewers: each of them sees it once the ledger says that they opened it. */
import type { ApprovalView } from "@/lib/engine/approval-view";
import type { SignedRecord } from "@/lib/engine/record";
import { cellsAt, type Cell, type GateState, type RunState } from "@/lib/engine/state";

export type SealedCell = Pick<Cell, "path" | "seq" | "index">;

const isUntrusted = (cell: Cell): boolean => cell.label.integrity === "untrusted";

const keyOf = ({ seq, index }: Pick<Cell, "seq" | "index">): string => `${seq}.${index}`;

const openedBy = (records: readonly SignedRecord[], caseId: string, user: string): ReadonlySet<string> =>
  new Set(
    records.flatMap(({ record }) =>
      record.control.flatMap((event) =>
        event.type === "cell_opened" && event.case_id === caseId && event.by === `user:${user}` ? [keyOf(event)] : [],
      ),
    ),
  );

/** The cells of a case that this reader has yet to open; none at a gate of another kind, or once the gate is closed. */
export const sealedCells = (state: RunState, { gate, status }: GateState, records: readonly SignedRecord[], user: string): SealedCell[] => {
  if (gate.reason !== "review" || status !== "open") return [];
  const cells = new Map(
    gate.review_keys.flatMap((path) => cellsAt(state.cells, path).filter(isUntrusted)).map((cell) => [keyOf(cell), cell] as const),
  );
  const opened = openedBy(records, gate.id, user);

  return [...cells].flatMap(([key, { path, seq, index }]) => (opened.has(key) ? [] : [{ path, seq, index }]));
};

const SEALED = { hidden: true } as const;

/** The view without a value that somebody has yet to open. Nobody can decide by it: its digest is not that of the whole view. */
export const withoutSealed = (view: ApprovalView, sealed: readonly SealedCell[]): ApprovalView =>
  sealed.length === 0
    ? view
    : {
        ...view,
        lines: view.lines.map((line) =>
          line.integrity === "untrusted" ? { ...line, before: line.before && SEALED, after: line.after && SEALED } : line,
        ),
      };

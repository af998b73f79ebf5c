"use client";

import { useContext } from "react";
import { RevealCell } from "@/components/runs/reveal-cell";
import { argumentsCheck, commitmentCheck, type RevealCheck } from "@/components/runs/reveal-check";
import { HIDDEN } from "@/components/runs/shown";
import { ShownValue } from "@/components/runs/shown-value";
import { DigestChip } from "@/components/ui/digest-chip";
import type { ViewLine } from "@/lib/engine/approval-view";
import type { Transition } from "@/lib/engine/event";
import { isAtOrBelow, parsePath } from "@/lib/graph/path";
import type { ApprovalAround } from "@/components/approvals/types";
import { BesideContext, type Beside } from "./beside-context";

type Cell = ApprovalAround["cells"][number];

/** The proposal is one cell: what would be sent or set is part of it. */
const isProposal = ({ path }: Cell): boolean => path.startsWith("$pending.");

const meets = (a: string, b: string): boolean => {
  const [one, other] = [parsePath(a), parsePath(b)];

  return one !== null && other !== null && (isAtOrBelow(one, other) || isAtOrBelow(other, one));
};

/** The cells that a hidden line comes from, as far as they can be named without saying anything of them. */
export const cellsOfLine = ({ op, path }: Pick<ViewLine, "op" | "path">, cells: readonly Cell[]): readonly Cell[] =>
  cells.filter((cell) => (isProposal(cell) ? op !== "show" : op !== "call" && meets(cell.path, path)));

/**
 * What is checked of an opened cell. The commitments that the transition names are taken from its signed bytes; the proposal's
 * own stands in the record that opened the gate, and the transition names the digest of its arguments.
 */
export const checksOf = (cell: Cell, transition: Transition | null): readonly RevealCheck[] => {
  if (isProposal(cell)) {
    const signed = transition?.effect?.arguments_digest;

    return [commitmentCheck(cell.commitment, "The gate's record"), ...(signed === undefined ? [] : [argumentsCheck(signed)])];
  }
  const named = [...(transition?.reads ?? []), ...(transition?.overwrites ?? [])].find(
    ({ path, seq, commitment }) => path === cell.path && seq === cell.seq && commitment !== null,
  );

  return [commitmentCheck(named?.commitment ?? cell.commitment, named ? "The transition" : "Its record")];
};

const CellLine = ({ cell, beside }: { readonly cell: Cell; readonly beside: Beside }) => {
  const [first] = checksOf(cell, beside.transition);
  if (!first) return null;

  return (
    <div className="flex flex-wrap items-center gap-2 text-xs text-muted">
      <DigestChip digest={first.digest} label="commitment" />
      <span>{isProposal(cell) ? "commits to the whole proposal" : "commits to what stands there now"}</span>
      {beside.mayReveal ? (
        <RevealCell
          runId={beside.runId}
          seq={cell.seq}
          index={cell.index}
          path={cell.path}
          name={isProposal(cell) ? "the proposal" : cell.path}
          checks={checksOf(cell, beside.transition)}
        />
      ) : null}
    </div>
  );
};

/** Nothing of the value, not its size either: only what it is committed to by, and for whoever may, how to open it. */
export const HiddenValue = ({ line }: { readonly line: ViewLine }) => {
  const beside = useContext(BesideContext);

  return (
    <div className="flex flex-col gap-1">
      <span>
        <ShownValue shown={HIDDEN} />
      </span>
      {beside
        ? cellsOfLine(line, beside.around?.cells ?? []).map((cell) => (
            <CellLine key={`${cell.seq}.${cell.index}`} cell={cell} beside={beside} />
          ))
        : null}
    </div>
  );
};

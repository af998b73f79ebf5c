"use client";

import { useContext } from "react";
import { RevealCell } from "@/components/values/reveal-cell";
import { HIDDEN, IN_REVIEW } from "@/components/values/visible-value";
import { ShownValue } from "@/components/values/value-text";
import { DigestChip } from "@/components/ui/digest-chip";
import type { ViewLine } from "@/lib/engine/approvals/approval-view";
import { BesideContext, type Beside } from "./beside-context";
import { listCellsOfLine, listChecks, isProposal, type Cell } from "./hidden-cells";

const CellLine = ({ cell, beside }: { readonly cell: Cell; readonly beside: Beside }) => {
  const [first] = listChecks(cell, beside.transition);
  if (!first) return null;

  return (
    <div className="flex flex-wrap items-center gap-2 text-xs text-muted">
      <DigestChip digest={first.digest} label="commitment" />
      <span>{isProposal(cell) ? "commits to the whole proposal" : "commits to the current value"}</span>
      {beside.mayReveal ? (
        <RevealCell
          runId={beside.runId}
          seq={cell.seq}
          index={cell.index}
          path={cell.path}
          name={isProposal(cell) ? "the proposal" : cell.path}
          checks={listChecks(cell, beside.transition)}
        />
      ) : null}
    </div>
  );
};

const isUnderReview = ({ before, after }: ViewLine): boolean =>
  [before, after].some((side) => side?.hidden === true && side.why === "review");

/** Hidden value; not even its size is shown. */
export const HiddenValue = ({ line }: { readonly line: ViewLine }) => {
  const beside = useContext(BesideContext);

  return (
    <div className="flex flex-col gap-1">
      <span>
        <ShownValue shown={isUnderReview(line) ? IN_REVIEW : HIDDEN} />
      </span>
      {beside
        ? listCellsOfLine(line, beside.around?.cells ?? []).map((cell) => (
            <CellLine key={`${cell.seq}.${cell.index}`} cell={cell} beside={beside} />
          ))
        : null}
    </div>
  );
};

/** Cells behind hidden values, with checks of revealed ones. */
import { createArgumentsCheck, createCommitmentCheck, type RevealCheck } from "@/components/values/reveal-check";
import type { ApprovalAround } from "@/components/approvals/types";
import type { ViewLine } from "@/lib/engine/approvals/approval-view";
import type { Transition } from "@/lib/engine/event";
import { isAtOrBelow, parsePath } from "@/lib/graph/path";

export type Cell = ApprovalAround["cells"][number];

/** The proposal is one cell. */
export const isProposal = ({ path }: Cell): boolean => path.startsWith("$pending.");

const isQuestion = ({ path }: Cell): boolean => path.startsWith("$asked.");

const meets = (a: string, b: string): boolean => {
  const [one, other] = [parsePath(a), parsePath(b)];

  return one !== null && other !== null && (isAtOrBelow(one, other) || isAtOrBelow(other, one));
};

export const listCellsOfLine = ({ op, path }: Pick<ViewLine, "op" | "path">, cells: readonly Cell[]): readonly Cell[] =>
  cells.filter((cell) => {
    if (isQuestion(cell)) return op === "ask";

    return isProposal(cell) ? op === "call" || op === "set" : op !== "call" && meets(cell.path, path);
  });

/** Checks of a revealed cell. A proposal's commitment is in the record that opened the gate; the transition names its arguments' digest. */
export const listChecks = (cell: Cell, transition: Transition | null): readonly RevealCheck[] => {
  if (isProposal(cell)) {
    const signed = transition?.effect?.arguments_digest;

    return [createCommitmentCheck(cell.commitment, "The gate's record"), ...(signed === undefined ? [] : [createArgumentsCheck(signed)])];
  }
  const named = [...(transition?.reads ?? []), ...(transition?.overwrites ?? [])].find(
    ({ path, seq, commitment }) => path === cell.path && seq === cell.seq && commitment !== null,
  );

  return [createCommitmentCheck(named?.commitment ?? cell.commitment, named ? "The transition" : "Its record")];
};

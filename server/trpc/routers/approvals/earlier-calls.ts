import type { ApprovalView } from "@/lib/engine/approvals/approval-view";
import { getLineName } from "@/lib/engine/labels/control-position";
import { ownMember, type JsonObject } from "@/lib/json";
import { isSameValue } from "@/lib/leaves";

export const listShownArguments = ({ lines }: Pick<ApprovalView, "lines">): JsonObject =>
  Object.fromEntries(
    lines.flatMap((line) => (line.op === "call" && line.after?.hidden === false ? [[getLineName(line), line.after.value]] : [])),
  );

export type Matching = {
  /** Returns whether the target is the same, or without one the arguments. */
  readonly isAbout: (args: JsonObject) => boolean;
  readonly isAlike: (args: JsonObject) => boolean;
};

/**
 * Compares calls with the viewed one; null if neither its target nor all arguments are shown. @param targets arguments that name the
 * target
 */
export const matchCalls = (view: Pick<ApprovalView, "lines">, targets: JsonObject): Matching | null => {
  const shown = listShownArguments(view);
  const isWhole = view.lines.every(({ op, after }) => op !== "call" || after?.hidden === false);
  const named = Object.entries(targets);
  const isAlike = (args: JsonObject): boolean => isWhole && isSameValue(args, shown);
  const isAbout = (args: JsonObject): boolean => named.every(([name, value]) => ownMember(args, name) === value);
  if (named.length > 0) return { isAbout, isAlike };

  return isWhole ? { isAbout: isAlike, isAlike } : null;
};

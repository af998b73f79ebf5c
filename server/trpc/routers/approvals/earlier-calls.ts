import type { ApprovalView } from "@/lib/engine/approvals/approval-view";
import { getLineName } from "@/lib/engine/labels/control-position";
import { ownMember, type JsonObject } from "@/lib/json";
import { isSameValue } from "@/lib/leaves";

/** Lists the arguments that the reader sees in the view. */
export const listShownArguments = ({ lines }: Pick<ApprovalView, "lines">): JsonObject =>
  Object.fromEntries(
    lines.flatMap((line) => (line.op === "call" && line.after?.hidden === false ? [[getLineName(line), line.after.value]] : [])),
  );

export type Matching = {
  /** Returns whether a call is about the same: its target, or without one its arguments. */
  readonly isAbout: (args: JsonObject) => boolean;
  /** Returns whether a call has exactly the same arguments. */
  readonly isAlike: (args: JsonObject) => boolean;
};

/** Compares calls with the one in the view; null if the reader sees neither its target nor all of its arguments. @param targets arguments that name the target */
export const matchCalls = (view: Pick<ApprovalView, "lines">, targets: JsonObject): Matching | null => {
  const shown = listShownArguments(view);
  const isWhole = view.lines.every(({ op, after }) => op !== "call" || after?.hidden === false);
  const named = Object.entries(targets);
  const isAlike = (args: JsonObject): boolean => isWhole && isSameValue(args, shown);
  const isAbout = (args: JsonObject): boolean => named.every(([name, value]) => ownMember(args, name) === value);
  if (named.length > 0) return { isAbout, isAlike };

  return isWhole ? { isAbout: isAlike, isAlike } : null;
};

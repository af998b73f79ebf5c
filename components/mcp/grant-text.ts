/** What the last runs say about one part of a grant, in words. */
import { count } from "@/lib/format";
import type { GrantUse } from "@/lib/mcp/tool-use";

const runs = (amount: number): string => `${count(amount)} ${amount === 1 ? "run" : "runs"}`;

/** "Used in 3 of 12 runs". The runs are those in which it could be called, the newest fifty at most. */
export const grantText = (use: Pick<GrantUse, "verdict" | "runs" | "used">): string => {
  switch (use.verdict) {
    case "used":
      return `Used in ${count(use.used)} of ${runs(use.runs)}`;
    case "unused":
      return `Not used in ${runs(use.runs)}`;
    case "undo":
      return "Not used, but it takes other calls back";
    case "too_few":
      return use.runs === 0 ? "No run could call it yet" : `Not used; ${runs(use.runs)} ${use.runs === 1 ? "is" : "are"} too few to say`;
    default:
      return use.verdict satisfies never;
  }
};

/** Said once above such a list: what it rests on. */
export const restsOn = (looked: number): string => `By the ledgers of the last ${runs(looked)} that called real tools.`;

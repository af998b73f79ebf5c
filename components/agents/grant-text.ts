import { count } from "@/lib/format";
import type { GrantUse } from "@/lib/mcp/tool-use";

const runs = (amount: number): string => `${count(amount)} ${amount === 1 ? "run" : "runs"}`;

/** "Used in 3 of 12 runs", counted over the newest fifty callable runs. */
export const grantText = (use: Pick<GrantUse, "verdict" | "runs" | "used">): string => {
  switch (use.verdict) {
    case "used":
      return `Used in ${count(use.used)} of ${runs(use.runs)}`;
    case "unused":
      return `Not used in ${runs(use.runs)}`;
    case "undo":
      return "Not used, but undoes other calls";
    case "too_few":
      return use.runs === 0 ? "No run could call it yet" : `Not used in ${runs(use.runs)}; too few to tell`;
    default:
      return use.verdict satisfies never;
  }
};

export const restsOn = (looked: number): string => `Based on the last ${runs(looked)} that called real tools.`;

/** Risk of an authority line, derived from the signed sentence itself. */
import type { Risk } from "@/lib/engine/approvals/authority-class";

export type LineRisk = Risk;

/** Prefixes written by `describeAuthority`, worst first; an unknown sentence counts as high risk. */
const STARTS: readonly (readonly [string, Risk])[] = [
  ["No authority change. Writes", "medium"],
  ["No authority change. Sends ", "medium"],
  ["No authority change.", "low"],
];

export const classifyLineRisk = (authority: string): Risk => STARTS.find(([start]) => authority.startsWith(start))?.[1] ?? "high";

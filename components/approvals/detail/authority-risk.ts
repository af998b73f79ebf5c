/** Risk of an authority line, from the signed sentence. */
import type { Risk } from "@/lib/engine/approvals/authority-class";

/** Prefixes by `authoritySentence` of the view, worst first; unknown sentences are high risk. */
const STARTS: readonly (readonly [string, Risk])[] = [
  ["No authority change. Writes", "medium"],
  ["No authority change. Sends ", "medium"],
  ["May change permissions", "medium"],
  ["No authority change.", "low"],
];

export const classifyLineRisk = (authority: string): Risk => STARTS.find(([start]) => authority.startsWith(start))?.[1] ?? "high";

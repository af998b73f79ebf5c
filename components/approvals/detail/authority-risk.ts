/** The risk that goes with an authority line. It is read off the signed sentence itself, not told beside it. */
import type { Risk } from "@/lib/engine/approvals/authority-class";

export type LineRisk = Risk;

/** As `authorityLine` writes them, the worst first; a sentence that nobody knows is as bad as any. */
const STARTS: readonly (readonly [string, Risk])[] = [
  ["No authority change. Writes", "medium"],
  ["No authority change. What ", "medium"],
  ["No authority change.", "low"],
];

export const riskOfLine = (authority: string): Risk => STARTS.find(([start]) => authority.startsWith(start))?.[1] ?? "high";

import type { LedgerRecord } from "@/lib/engine/ledger/record";
import { REFUSALS } from "@/lib/refusal";

/** Returns whether a program proposed what it must not, other than too late or twice. */
export const isRefusedAttempt = ({ principal, refusal }: Pick<LedgerRecord, "principal" | "refusal">): boolean =>
  refusal !== null && !REFUSALS[refusal.code].retry && (principal.type === "executor" || principal.type === "agent");

import type { AdminChanged } from "@/lib/engine/events/workspace";
import type { LedgerRecord } from "@/lib/engine/ledger/record";
import { isBundledProgram } from "@/lib/mcp/bundled-program";

export const TAKE_OVER = "program_taken_over";

/** Such a step puts no settings in force. */
export const isUnfoundedTakeOver = ({ principal, control }: LedgerRecord, { area, subject, step }: AdminChanged): boolean =>
  area === "mcp" &&
  step === TAKE_OVER &&
  !(
    principal.type === "engine" &&
    control.some(
      (event) => event.type === TAKE_OVER && event.server === subject && isBundledProgram(event.program) && event.before !== event.after,
    )
  );

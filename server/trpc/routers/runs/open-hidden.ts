import { z } from "zod";
import { AppError } from "@/lib/errors";
import { getShownTo } from "@/lib/engine/approvals/policy";
import { getRun } from "@/server/store/runs/runs";
import { createProcedure } from "@/server/trpc/init";
import { openRun } from "@/server/web/open-run";
import { refuseAttempt } from "@/server/web/refuse-attempt";
import { submitCommands } from "@/server/web/submit-command";

/** Each is a record of the run. */
const MOST_OPENED = 200;

const input = z.strictObject({ runId: z.uuid(), reason: z.string().trim().min(1).max(2_000) });

/** Records an auditor's reveals, which their export contains for ten minutes. */
export const runsOpenHidden = createProcedure("cell.open", { fresh: true })
  .input(input)
  .mutation(async ({ ctx, input: { runId, reason } }) => {
    const { workspaceId, author, role, auditor } = ctx;
    const by = { workspaceId, author, runId };
    if (!(await getRun(workspaceId, runId))) return refuseAttempt({ ...by, body: { kind: "read", what: "run" } });
    if (!auditor) throw new AppError("forbidden", { message: "Only auditors can reveal hidden values." });
    const { ledger } = await openRun(workspaceId, runId, getShownTo(role));
    const hidden = ledger.cells.filter(({ opened }) => opened === null);
    if (hidden.length > MOST_OPENED) {
      const message = `More than ${MOST_OPENED} values are hidden. Reveal them one by one, or export on the server with "countersign export".`;
      throw new AppError("bad_request", { message });
    }
    await submitCommands(hidden.map(({ seq, index }) => ({ ...by, body: { kind: "open_cell", seq, index, purpose: "audit", reason } })));

    return { opened: hidden.length };
  });

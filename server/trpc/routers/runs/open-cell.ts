import { z } from "zod";
import { AppError } from "@/lib/errors";
import { openingPurposeSchema } from "@/lib/engine/approvals/case";
import { parseRecord } from "@/lib/engine/ledger/stored-record";
import { computeCommitment } from "@/lib/hash";
import { getLedgerPage } from "@/server/store/ledger/page";
import { getRun } from "@/server/store/runs/runs";
import { createProcedure } from "@/server/trpc/init";
import { openEveryCell } from "@/server/reading/open-cells";
import { refuseAttempt } from "@/server/web/refuse-attempt";
import { submitCommand, type Submission } from "@/server/web/submit-command";
import { getWebVault } from "@/server/web/web-vault";

const input = z
  .strictObject({
    runId: z.uuid(),
    seq: z.number().int().min(0),
    index: z.number().int().min(0),
    purpose: openingPurposeSchema.exclude(["file"]),
    caseId: z.uuid().optional(),
    reason: z.string().trim().min(1).max(2_000).optional(),
  })
  // A reviewer's case is the reason.
  .refine(({ purpose, reason }) => purpose !== "audit" || reason !== undefined, { path: ["reason"], message: "an audit says what for" });

/** Ignores the label. @throws AppError when missing or different from its record */
const openCell = async (workspaceId: string, runId: string, seq: number, index: number) => {
  const page = await getLedgerPage(workspaceId, runId, seq - 1, 1);
  const cell = page && openEveryCell(getWebVault(), workspaceId, page.cells).find((candidate) => candidate.index === index);
  const [stored] = page?.records ?? [];
  const write = stored && parseRecord(stored)?.record.writes[index];
  if (!cell || !write) throw new AppError("not_found");
  if (cell.opened === "shredded") return { path: write.path, label: write.label, content: { kind: "shredded" } } as const;
  if (cell.opened === null || cell.opened === "unreadable") throw new AppError("refused", { refusal: "run_frozen" });
  const { salt, value } = cell.opened;
  if (computeCommitment(salt, value) !== write.commitment) throw new AppError("refused", { refusal: "run_frozen" });

  return { path: write.path, label: write.label, content: { kind: "value", value, salt } } as const;
};

/** @returns `salt`: 32 bytes as hex */
export const runsOpenCell = createProcedure("cell.open", { fresh: "sometimes" })
  .input(input)
  .mutation(async ({ ctx, input: { runId, ...asked } }) => {
    const { workspaceId } = ctx;
    const { caseId, reason, ...cell } = asked;
    if (cell.purpose === "audit") ctx.demandFresh();
    const command: Submission = {
      workspaceId,
      author: ctx.author,
      runId,
      body: {
        kind: "open_cell",
        ...cell,
        ...(caseId === undefined ? {} : { case_id: caseId }),
        ...(reason === undefined ? {} : { reason }),
      },
    };
    if (!(await getRun(workspaceId, runId))) return refuseAttempt(command);
    const { seq: record } = await submitCommand(command);

    return { record, ...(await openCell(workspaceId, runId, cell.seq, cell.index)) };
  });

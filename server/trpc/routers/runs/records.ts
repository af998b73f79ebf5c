import { z } from "zod";
import { AppError } from "@/lib/errors";
import { shownTo } from "@/lib/engine/approvals/policy";
import { shredsOf } from "@/server/store/ledger/cells-shred";
import { ledgerPage } from "@/server/store/ledger/page";
import { passkeysOf } from "@/server/store/people/passkeys";
import { trustAnchor } from "@/server/security/trust-anchor";
import { procedure } from "@/server/trpc/init";
import { sealedCells } from "@/server/reading/sealed-cells";
import { webVault } from "@/server/web/web-vault";
import { wirePage } from "./wire";

const input = z.strictObject({
  run_id: z.uuid(),
  after_seq: z.number().int().min(-1).default(-1),
  limit: z.number().int().min(1).max(1_000).default(500),
});

/** A ledger page with the trust anchor. Hidden values are `null`; `withheld` marks those under review. */
export const runsRecords = procedure("run.read")
  .input(input)
  .query(async ({ ctx, input: { run_id: runId, after_seq: afterSeq, limit } }) => {
    const { workspaceId } = ctx;
    const [page, anchor] = await Promise.all([ledgerPage(workspaceId, runId, afterSeq, limit), trustAnchor()]);
    if (!page) throw new AppError("not_found");
    const sealed = await sealedCells(webVault(), workspaceId, runId, page.cells);

    return {
      workspace: workspaceId,
      ...wirePage(webVault(), workspaceId, page, { clearance: shownTo(ctx.role), sealed }),
      shreds: await shredsOf(workspaceId, page.cells),
      passkeys: await passkeysOf(workspaceId, page.records),
      anchor,
    };
  });

import { z } from "zod";
import { AppError } from "@/lib/errors";
import { getShownTo } from "@/lib/engine/approvals/policy";
import { listShreds } from "@/server/store/ledger/cells-shred";
import { getLedgerPage } from "@/server/store/ledger/page";
import { listPasskeyRecords } from "@/server/store/people/passkeys";
import { getTrustAnchor } from "@/server/security/trust-anchor";
import { createProcedure } from "@/server/trpc/init";
import { sealedCells } from "@/server/reading/sealed-cells";
import { getWebVault } from "@/server/web/web-vault";
import { toWirePage } from "./wire";

const input = z.strictObject({
  runId: z.uuid(),
  afterSeq: z.number().int().min(-1).default(-1),
  limit: z.number().int().min(1).max(1_000).default(500),
});

/** Hidden values are `null`; `withheld` marks those under review. */
export const runsRecords = createProcedure("run.read")
  .input(input)
  .query(async ({ ctx, input: { runId, afterSeq, limit } }) => {
    const { workspaceId } = ctx;
    const [page, anchor] = await Promise.all([getLedgerPage(workspaceId, runId, afterSeq, limit), getTrustAnchor()]);
    if (!page) throw new AppError("not_found");
    const sealed = await sealedCells(getWebVault(), workspaceId, runId, page.cells);

    return {
      workspace: workspaceId,
      ...toWirePage(getWebVault(), workspaceId, page, { clearance: getShownTo(ctx.role), sealed }),
      shreds: await listShreds(workspaceId, page.cells),
      passkeys: await listPasskeyRecords(workspaceId, page.records),
      anchor,
    };
  });

import { z } from "zod";
import { getWorkspaceLedgerId } from "@/lib/engine/ledger/workspace-ledger";
import { AppError } from "@/lib/errors";
import { createProcedure } from "@/server/trpc/init";
import { getRefusal } from "@/server/web/membership";
import { submitCommand } from "@/server/web/submit-command";

/** Also revokes everything it drives. */
export const connectTokensRevoke = createProcedure("connect.manage")
  .input(z.strictObject({ tokenId: z.uuid() }))
  .mutation(async ({ ctx: { workspaceId, author }, input }) => {
    const body = { kind: "token_revoke", token: input.tokenId } as const;
    await submitCommand({ workspaceId, author, runId: getWorkspaceLedgerId(workspaceId), body }).catch((error: unknown) => {
      throw getRefusal(error) === "not_found" ? new AppError("not_found") : error;
    });

    return { revoked: true };
  });

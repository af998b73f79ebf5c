import { z } from "zod";
import { AppError } from "@/lib/errors";
import { passkeySchema } from "@/lib/engine/approvals/assertion";
import { passkeyLabelSchema } from "@/lib/engine/ledger/passkey-ledger";
import { renamePasskey } from "@/server/store/people/passkeys";
import { createProcedure } from "@/server/trpc/init";

/** Renames off the record. */
export const passkeysRename = createProcedure("settings.own")
  .input(z.strictObject({ credentialId: passkeySchema.shape.credential_id, label: passkeyLabelSchema }))
  .mutation(async ({ ctx, input }) => {
    const isTheirs = await renamePasskey(ctx.workspaceId, ctx.user.id, input.credentialId, input.label);
    if (!isTheirs) throw new AppError("not_found");

    return { label: input.label };
  });

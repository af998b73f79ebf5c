import { z } from "zod";
import { passkeySchema } from "@/lib/engine/approvals/assertion";
import { getWorkspaceLedgerId } from "@/lib/engine/ledger/workspace-ledger";
import { createProcedure } from "@/server/trpc/init";
import { submitCommand } from "@/server/web/submit-command";

export const passkeysRevoke = createProcedure("settings.own", { fresh: true })
  .input(z.strictObject({ credentialId: passkeySchema.shape.credential_id }))
  .mutation(async ({ ctx: { workspaceId, author }, input: { credentialId } }) => {
    const body = { kind: "passkey_revoke", credential_id: credentialId } as const;
    const { seq: record } = await submitCommand({ workspaceId, author, runId: getWorkspaceLedgerId(workspaceId), body });

    return { record };
  });

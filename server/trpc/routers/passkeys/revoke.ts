import { z } from "zod";
import { passkeySchema } from "@/lib/engine/approvals/assertion";
import { createProcedure } from "@/server/trpc/init";
import { submitToWorkspace } from "@/server/web/submit-command";

export const passkeysRevoke = createProcedure("settings.own", { fresh: true })
  .input(z.strictObject({ credentialId: passkeySchema.shape.credential_id }))
  .mutation(({ ctx, input: { credentialId } }) => submitToWorkspace(ctx, { kind: "passkey_revoke", credential_id: credentialId }));

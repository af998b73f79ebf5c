import { z } from "zod";
import { assertionSchema } from "@/lib/engine/approvals/assertion";
import { passkeyLabelSchema } from "@/lib/engine/ledger/passkey-ledger";
import { createProcedure } from "@/server/trpc/init";
import { verifyRegistration, registrationSchema } from "@/server/web/passkeys";
import { submitToWorkspace } from "@/server/web/submit-command";

/** Returns its record's number in the workspace's ledger. */
export const passkeysRegister = createProcedure("settings.own", { fresh: true })
  .input(z.strictObject({ label: passkeyLabelSchema, answer: registrationSchema, assertion: assertionSchema.exactOptional() }))
  .mutation(async ({ ctx, input: { label, answer, assertion } }) => {
    const passkey = await verifyRegistration(ctx, answer);
    const { record } = await submitToWorkspace(ctx, { kind: "passkey_register", passkey, label, ...(assertion ? { assertion } : {}) });

    return { record, credentialId: passkey.credential_id };
  });

import { z } from "zod";
import { adminSignatureSchema } from "@/lib/engine/ledger/countersignable";
import { uuidSchema } from "@/lib/ids";
import { systemClock } from "@/server/clock";
import { createScimToken } from "@/server/scim/token";
import { createProcedure, router } from "@/server/trpc/init";
import { submitToWorkspace } from "@/server/web/submit-command";

const DAY_MS = 86_400_000;

const make = createProcedure("people.manage", { fresh: true })
  .input(z.strictObject({ days: z.number().int().min(1).max(366), signed: adminSignatureSchema.exactOptional() }))
  .mutation(async ({ ctx, input: { days, ...signed } }) => {
    const id = systemClock.id();
    const { token, publicKey } = createScimToken(ctx.workspaceId, id);
    await submitToWorkspace(ctx, { kind: "directory_token_make", token: id, publicKey, lifetimeMs: days * DAY_MS, ...signed });

    return { token };
  });

const confirm = createProcedure("people.manage", { fresh: true })
  .input(z.strictObject({ token: uuidSchema, signed: adminSignatureSchema.exactOptional() }))
  .mutation(({ ctx, input }) => submitToWorkspace(ctx, { kind: "directory_token_confirm", ...input }));

const end = createProcedure("people.manage")
  .input(z.strictObject({ token: uuidSchema }))
  .mutation(({ ctx, input }) => submitToWorkspace(ctx, { kind: "directory_token_end", ...input }));

export const directoryTokensRouter = router({ make, confirm, end });

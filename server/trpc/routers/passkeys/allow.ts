import { z } from "zod";
import { assertionSchema } from "@/lib/engine/approvals/assertion";
import { getWorkspaceLedgerId } from "@/lib/engine/ledger/workspace-ledger";
import { uuidSchema } from "@/lib/ids";
import { createProcedure } from "@/server/trpc/init";
import { submitCommand } from "@/server/web/submit-command";

export const passkeysAllow = createProcedure("people.manage", { fresh: true })
  .input(z.strictObject({ userId: uuidSchema, allowance: uuidSchema, assertion: assertionSchema.exactOptional() }))
  .mutation(async ({ ctx: { workspaceId, author }, input: { userId: user, ...asked } }) => {
    const body = { kind: "passkey_allow", user, ...asked } as const;
    const { seq: record } = await submitCommand({ workspaceId, author, runId: getWorkspaceLedgerId(workspaceId), body });

    return { record };
  });

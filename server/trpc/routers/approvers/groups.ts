import { z } from "zod";
import { adminSignatureSchema } from "@/lib/engine/ledger/countersignable";
import { groupPeopleSchema } from "@/lib/people/approver-command";
import { groupNameSchema } from "@/lib/people/approvers";
import { createProcedure } from "@/server/trpc/init";
import { readAuthority } from "@/server/web/authority";
import { submitToWorkspace } from "@/server/web/submit-command";

/** Lists groups as of the signed records. */
export const groupsList = createProcedure("people.read").query(async ({ ctx }) =>
  [...(await readAuthority(ctx.workspaceId)).approvers.groups]
    .map(([name, people]) => ({ name, people }))
    .toSorted((a, b) => a.name.localeCompare(b.name)),
);

export const groupsSet = createProcedure("people.manage", { fresh: true })
  .input(
    z.strictObject({
      group: groupNameSchema,
      was: groupPeopleSchema.nullable(),
      people: groupPeopleSchema,
      signed: adminSignatureSchema.exactOptional(),
    }),
  )
  .mutation(({ ctx, input: { signed, ...change } }) =>
    submitToWorkspace(ctx, { kind: "group_set", ...change, ...(signed ? { signed } : {}) }),
  );

export const groupsRemove = createProcedure("people.manage", { fresh: true })
  .input(z.strictObject({ group: groupNameSchema }))
  .mutation(({ ctx, input }) => submitToWorkspace(ctx, { kind: "group_remove", ...input }));

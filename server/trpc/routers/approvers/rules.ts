import { z } from "zod";
import { needsSchema, whenSchema } from "@/lib/approval-rules/rule";
import { describeNeeds, describeWhen } from "@/lib/approval-rules/text";
import { adminSignatureSchema } from "@/lib/engine/ledger/countersignable";
import { listMembersInForce } from "@/lib/engine/ledger/members-in-force";
import { AppError } from "@/lib/errors";
import { uuidSchema } from "@/lib/ids";
import { hasDecider } from "@/lib/people/approver-fold";
import { isAllowed } from "@/lib/roles";
import { systemClock } from "@/server/clock";
import { getNames } from "@/server/store/people/people";
import { createProcedure } from "@/server/trpc/init";
import { readAuthority } from "@/server/web/authority";
import { submitToWorkspace } from "@/server/web/submit-command";

export const rulesList = createProcedure("approval.read").query(async ({ ctx: { workspaceId, user } }) => {
  const authority = await readAuthority(workspaceId);
  const { rules, removals } = authority.approvers;
  const members = listMembersInForce(authority);
  const admins = [...members].filter(([, { role, disabled }]) => !disabled && isAllowed(role, "people.manage"));
  const names = await getNames(workspaceId, [...[...rules.values()].flatMap(({ needs }) => needs.people), ...removals.values()]);

  return {
    hasOtherAdmin: admins.some(([id]) => id !== user.id),
    rules: [...rules.values()].map(({ id, when, needs }) => {
      const by = removals.get(id);

      return {
        id,
        when: describeWhen(when),
        needs: describeNeeds(needs, names),
        emptyGroup: needs.escalation && !hasDecider(authority.approvers, members, needs.escalation.group) ? needs.escalation.group : null,
        removal: by === undefined ? null : { byName: names[by] ?? "a former member", isOwn: by === user.id },
      };
    }),
  };
});

export const rulesAdd = createProcedure("people.manage", { fresh: true })
  .input(z.strictObject({ when: whenSchema, needs: needsSchema }))
  .mutation(async ({ ctx, input }) => {
    const { environment } = input.when;
    const { list } = (await readAuthority(ctx.workspaceId)).environments;
    if (environment !== undefined && !list.some(({ id }) => id === environment)) throw new AppError("not_found");

    return submitToWorkspace(ctx, { kind: "rule_add", rule: { id: systemClock.id(), ...input } });
  });

const removal = z.strictObject({ rule: uuidSchema, signed: adminSignatureSchema.exactOptional() });

export const rulesRemove = createProcedure("people.manage", { fresh: true })
  .input(removal)
  .mutation(({ ctx, input }) => submitToWorkspace(ctx, { kind: "rule_remove", ...input }));

export const rulesConfirmRemoval = createProcedure("people.manage", { fresh: true })
  .input(removal)
  .mutation(({ ctx, input }) => submitToWorkspace(ctx, { kind: "rule_remove_confirm", ...input }));

export const rulesDeclineRemoval = createProcedure("people.manage")
  .input(z.strictObject({ rule: uuidSchema }))
  .mutation(({ ctx, input }) => submitToWorkspace(ctx, { kind: "rule_remove_decline", ...input }));

import { z } from "zod";
import { isDecider } from "@/lib/people/approver-fold";
import { listMembersInForce } from "@/lib/engine/ledger/members-in-force";
import { systemClock } from "@/server/clock";
import { getNames } from "@/server/store/people/people";
import { createProcedure } from "@/server/trpc/init";
import { readAuthority } from "@/server/web/authority";
import { submitToWorkspace } from "@/server/web/submit-command";

/** Lists the reader's delegations in force or to come, and possible delegates. */
export const delegationsList = createProcedure("settings.own").query(async ({ ctx: { workspaceId, user } }) => {
  const authority = await readAuthority(workspaceId);
  const members = listMembersInForce(authority);
  const nowMs = systemClock.now();
  const open = [...authority.approvers.delegations.values()].filter(({ endsAt }) => endsAt > nowMs);
  const delegates = [...members.keys()].filter((id) => id !== user.id && isDecider(members, id));
  const names = await getNames(workspaceId, [...delegates, ...open.flatMap(({ from, to }) => [from, to])]);
  const named = (id: string) => ({ id, name: names[id] ?? "a former member" });

  return {
    canGive: isDecider(members, user.id),
    delegates: delegates.map(named),
    given: open.filter(({ from }) => from === user.id).map(({ to, ...one }) => ({ ...one, to: named(to) })),
    received: open.filter(({ to }) => to === user.id).map(({ from, ...one }) => ({ ...one, from: named(from) })),
  };
});

export const delegationsGive = createProcedure("approval.decide", { fresh: true })
  .input(z.strictObject({ to: z.uuid(), startsAt: z.number().int().min(0), endsAt: z.number().int().min(0) }))
  .mutation(({ ctx, input: { to, startsAt, endsAt } }) =>
    submitToWorkspace(ctx, { kind: "delegation_give", delegation: systemClock.id(), to, starts_at: startsAt, ends_at: endsAt }),
  );

export const delegationsRevoke = createProcedure("settings.own")
  .input(z.strictObject({ delegation: z.uuid() }))
  .mutation(({ ctx, input }) => submitToWorkspace(ctx, { kind: "delegation_revoke", ...input }));

import { z } from "zod";
import { assertionSchema } from "@/lib/engine/approvals/assertion";
import { hexDigestSchema } from "@/lib/hash";
import { idSchema, uuidSchema } from "@/lib/ids";
import { isAllowed } from "@/lib/roles";
import { systemClock } from "@/server/clock";
import { getAuthorNames } from "@/server/store/people/people";
import { createProcedure } from "@/server/trpc/init";
import { describeAsker, listAnswerable, listAuthors, previewPromotion } from "@/server/web/promotion";
import { submitToWorkspace } from "@/server/web/submit-command";

const place = { environment: idSchema, version: hexDigestSchema, base: hexDigestSchema.nullable() };

export const promotionPreview = createProcedure("graph.read")
  .input(z.strictObject({ environment: idSchema, version: hexDigestSchema }))
  .query(({ ctx, input: { environment, version } }) => previewPromotion(ctx.workspaceId, environment, version));

export const promotionsWaiting = createProcedure("graph.read").query(async ({ ctx: { workspaceId, user, role } }) => {
  const found = isAllowed(role, "graph.publish") ? await listAnswerable(workspaceId, user.id) : [];
  const names = await getAuthorNames(
    workspaceId,
    found.flatMap(({ asker }) => listAuthors(asker)),
  );

  return found.map(({ asker, ...request }) => ({ ...request, byName: describeAsker(asker, names) }));
});

export const promotionPromote = createProcedure("graph.publish")
  .input(z.strictObject(place))
  .mutation(({ ctx, input }) => submitToWorkspace(ctx, { kind: "promote", ...input }));

export const promotionAsk = createProcedure("graph.publish")
  .input(z.strictObject(place))
  .mutation(({ ctx, input }) => submitToWorkspace(ctx, { kind: "promotion_ask", request: systemClock.id(), ...input }));

export const promotionApprove = createProcedure("graph.publish")
  .input(z.strictObject({ request: uuidSchema, version: hexDigestSchema, assertion: assertionSchema.exactOptional() }))
  .mutation(({ ctx, input }) => submitToWorkspace(ctx, { kind: "promotion_approve", ...input }));

export const promotionDecline = createProcedure("graph.publish")
  .input(z.strictObject({ request: uuidSchema }))
  .mutation(({ ctx, input }) => submitToWorkspace(ctx, { kind: "promotion_decline", ...input }));

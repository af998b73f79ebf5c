import { z } from "zod";
import { adminSignatureSchema } from "@/lib/engine/ledger/countersignable";
import { AGENT_SCOPES } from "@/lib/engine/principal";
import { prepareGrant } from "@/server/oauth/consent";
import { authorizationSchema } from "@/server/oauth/request";
import { createProcedure } from "@/server/trpc/init";
import { mintWanted } from "./mint";

const input = z.strictObject({
  request: authorizationSchema,
  scopes: z.array(z.enum(AGENT_SCOPES)).min(1).max(AGENT_SCOPES.length),
  signed: adminSignatureSchema.exactOptional(),
});

export const connectGrantsAllow = createProcedure("connect.manage", { fresh: true })
  .input(input)
  .mutation(async ({ ctx, input: { request, scopes, signed } }) => {
    const { minting, to } = await prepareGrant(ctx.workspaceId, request, [...new Set(scopes)]);
    await mintWanted(ctx, minting, signed, minting.graphs);

    return { to };
  });

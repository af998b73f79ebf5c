import { z } from "zod";
import { forgetQuery } from "@/server/store/trust/queries";
import { createProcedure } from "@/server/trpc/init";

const input = z.strictObject({ id: z.uuid() });

export const trustForget = createProcedure("trust.read")
  .input(input)
  .mutation(({ ctx: { workspaceId, user }, input: { id } }) => forgetQuery(workspaceId, user.id, id));

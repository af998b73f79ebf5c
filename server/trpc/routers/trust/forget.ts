import { z } from "zod";
import { removeView } from "@/server/store/saved-views";
import { createProcedure } from "@/server/trpc/init";

const input = z.strictObject({ id: z.uuid() });

export const trustForget = createProcedure("trust.read")
  .input(input)
  .mutation(({ ctx: { workspaceId, user }, input: { id } }) => removeView({ workspaceId, userId: user.id, page: "trust" }, id));

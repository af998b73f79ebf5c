import { z } from "zod";
import { AppError } from "@/lib/errors";
import { trustFilterSchema } from "@/lib/engine/labels/trust-filter";
import { visibleNameSchema } from "@/lib/visible-name";
import { keepQuery, MOST_QUERIES } from "@/server/store/trust/queries";
import { createProcedure } from "@/server/trpc/init";

const input = z.strictObject({
  name: visibleNameSchema(80),
  filter: trustFilterSchema,
});

/** Replaces one of the same name. */
export const trustKeep = createProcedure("trust.read")
  .input(input)
  .mutation(async ({ ctx: { workspaceId, user }, input: query }) => {
    if (await keepQuery(workspaceId, user.id, query)) return;
    throw new AppError("bad_request", { message: `You have reached the limit of ${MOST_QUERIES}. Remove one first.` });
  });

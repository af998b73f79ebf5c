import { z } from "zod";
import { AppError } from "@/lib/errors";
import { filterQuery, trustFilterSchema } from "@/lib/engine/labels/trust-filter";
import { MOST_VIEWS, viewNameSchema } from "@/lib/saved-views";
import { saveView } from "@/server/store/saved-views";
import { createProcedure } from "@/server/trpc/init";

const input = z.strictObject({ name: viewNameSchema, filter: trustFilterSchema });

export const trustKeep = createProcedure("trust.read")
  .input(input)
  .mutation(async ({ ctx: { workspaceId, user }, input: { name, filter } }) => {
    if (await saveView({ workspaceId, userId: user.id, page: "trust" }, { name, query: filterQuery(filter) })) return;
    throw new AppError("bad_request", { message: `You have reached the limit of ${MOST_VIEWS}. Remove one first.` });
  });

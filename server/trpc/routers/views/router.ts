import { z } from "zod";
import { AppError } from "@/lib/errors";
import { MOST_VIEWS, viewNameSchema, viewPageSchema, viewQuerySchema } from "@/lib/saved-views";
import { listSavedViews, removeView, saveView } from "@/server/store/saved-views";
import { createProcedure, router } from "@/server/trpc/init";

const ofPage = z.strictObject({ page: viewPageSchema });

const viewsList = createProcedure("settings.own")
  .input(ofPage)
  .query(({ ctx: { workspaceId, user }, input: { page } }) => listSavedViews({ workspaceId, userId: user.id, page }));

const viewsSave = createProcedure("settings.own")
  .input(ofPage.extend({ name: viewNameSchema, query: viewQuerySchema }))
  .mutation(async ({ ctx: { workspaceId, user }, input: { page, name, query } }) => {
    const view = { name, query: new URLSearchParams(query).toString() };
    if (await saveView({ workspaceId, userId: user.id, page }, view)) return;
    throw new AppError("bad_request", { message: `You have reached the limit of ${MOST_VIEWS}. Remove one first.` });
  });

const viewsRemove = createProcedure("settings.own")
  .input(ofPage.extend({ id: z.uuid() }))
  .mutation(({ ctx: { workspaceId, user }, input: { page, id } }) => removeView({ workspaceId, userId: user.id, page }, id));

export const viewsRouter = router({ list: viewsList, save: viewsSave, remove: viewsRemove });

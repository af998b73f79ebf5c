import { readStops } from "@/lib/stop/stops";
import { createProcedure } from "@/server/trpc/init";
import { readAuthority } from "@/server/web/authority";

export const workGet = createProcedure("settings.own").query(async ({ ctx }) => readStops(await readAuthority(ctx.workspaceId)));

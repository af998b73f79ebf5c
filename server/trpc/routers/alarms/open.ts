import { openAlarms } from "@/server/store/trust/alarms";
import { createProcedure } from "@/server/trpc/init";

/** Open trust alarms of the workspace, newest first. */
export const alarmsOpen = createProcedure("alarm.manage").query(({ ctx }) => openAlarms(ctx.workspaceId));

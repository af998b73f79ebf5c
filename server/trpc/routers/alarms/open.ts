import { openAlarms } from "@/server/store/trust/alarms";
import { procedure } from "@/server/trpc/init";

/** Open trust alarms of the workspace, newest first. */
export const alarmsOpen = procedure("alarm.manage").query(({ ctx }) => openAlarms(ctx.workspaceId));

import { openAlarms } from "@/server/store/trust/alarms";
import { procedure } from "@/server/trpc/init";

/** The workspace's trust alarms that nobody has acknowledged, newest first. */
export const alarmsOpen = procedure("alarm.manage").query(({ ctx }) => openAlarms(ctx.workspaceId));

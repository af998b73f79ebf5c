import { openAlarms } from "@/server/store/trust/alarms";
import { createProcedure } from "@/server/trpc/init";

export const alarmsOpen = createProcedure("alarm.manage").query(({ ctx }) => openAlarms(ctx.workspaceId));

import { countOpenApprovals } from "@/server/store/approvals";
import { procedure } from "@/server/trpc/init";

/** How many approvals are open. */
export const approvalsCount = procedure("approval.read").query(async ({ ctx }) => ({ open: await countOpenApprovals(ctx.workspaceId) }));

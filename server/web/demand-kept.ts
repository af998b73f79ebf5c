import { AppError } from "@/lib/errors";
import { isGraphDeleted } from "@/server/store/graphs/graphs";

/** @throws AppError `conflict` for a deleted graph */
export const demandKept = async (workspaceId: string, graphId: string): Promise<void> => {
  if (await isGraphDeleted(workspaceId, graphId))
    throw new AppError("conflict", { message: "This graph was deleted. Restore it to start runs." });
};

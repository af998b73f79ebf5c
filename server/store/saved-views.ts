import { MOST_VIEWS, type ViewPage } from "@/lib/saved-views";
import { systemClock } from "@/server/clock";
import { runInWorkspace } from "@/server/db/client";

type Owner = { readonly workspaceId: string; readonly userId: string; readonly page: ViewPage | "trust" };

export type SavedView = { readonly id: string; readonly name: string; readonly query: string };

export const listSavedViews = (owner: Owner): Promise<SavedView[]> =>
  runInWorkspace(owner.workspaceId, (tx) =>
    tx.trustQuery.findMany({ where: owner, orderBy: [{ name: "asc" }, { id: "asc" }], select: { id: true, name: true, query: true } }),
  );

export const saveView = (owner: Owner, { name, query }: Omit<SavedView, "id">): Promise<boolean> =>
  runInWorkspace(owner.workspaceId, async (tx) => {
    await tx.trustQuery.deleteMany({ where: { ...owner, name } });
    if ((await tx.trustQuery.count({ where: owner })) >= MOST_VIEWS) return false;
    await tx.trustQuery.create({ data: { ...owner, id: systemClock.id(), name, query } });

    return true;
  });

export const removeView = (owner: Owner, id: string): Promise<void> =>
  runInWorkspace(owner.workspaceId, async (tx) => {
    await tx.trustQuery.deleteMany({ where: { ...owner, id } });
  });

import { scopeToWorkspace } from "@/server/db/client";

export const listReasonTemplates = async (workspaceId: string): Promise<readonly string[]> =>
  (await scopeToWorkspace(workspaceId).reasonTemplate.findFirst({ where: { workspaceId }, select: { reasons: true } }))?.reasons ?? [];

type Change = { readonly reasons: readonly string[]; readonly changedBy: string; readonly nowMs: number };

export const setReasonTemplates = async (workspaceId: string, { reasons, changedBy, nowMs }: Change): Promise<void> => {
  const data = { reasons: [...reasons], changedBy, changedAt: new Date(nowMs) };
  await scopeToWorkspace(workspaceId).reasonTemplate.upsert({ where: { workspaceId }, create: { workspaceId, ...data }, update: data });
};

import { z } from "zod";
import { getDatabase, scopeToWorkspace } from "@/server/db/client";
import { msSchema } from "@/server/store/times";

const MOST_SHOWN = 20;

const mentionRow = z.object({
  id: z.string(),
  runId: z.string(),
  seq: z.number(),
  approvalId: z.string().nullable(),
  userId: z.string(),
  byId: z.string(),
  createdAt: msSchema,
});
export type Mention = z.infer<typeof mentionRow>;

export const listUnreadMentions = async (workspaceId: string, userId: string): Promise<readonly Mention[]> =>
  z.array(mentionRow).parse(
    await scopeToWorkspace(workspaceId).mention.findMany({
      where: { workspaceId, userId, readAt: null },
      orderBy: [{ createdAt: "desc" }, { id: "desc" }],
      take: MOST_SHOWN,
    }),
  );

export const markMentionsRead = async (
  workspaceId: string,
  userId: string,
  about: { readonly runId: string; readonly approvalId: string | null },
  atMs: number,
): Promise<void> => {
  await scopeToWorkspace(workspaceId).mention.updateMany({
    where: { workspaceId, userId, ...about, readAt: null },
    data: { readAt: new Date(atMs) },
  });
};

/** Runner's role only. */
export const findMention = async (workspaceId: string, id: string, userId: string): Promise<Mention | null> => {
  const row = await getDatabase().mention.findFirst({ where: { workspaceId, id, userId } });

  return row && mentionRow.parse(row);
};

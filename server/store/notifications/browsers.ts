import { z } from "zod";
import { browserSchema } from "@/lib/notifications/browser";
import { getDatabase, scopeToWorkspace } from "@/server/db/client";
import type { LedgerTransaction } from "@/server/store/runs/attempts";
import { msSchema } from "@/server/store/times";

type Owner = { readonly workspaceId: string; readonly userId: string };

const browserRow = browserSchema.extend({ id: z.string() });
export type BrowserRow = z.infer<typeof browserRow>;

const shownRow = z.object({ id: z.string(), name: z.string(), createdAt: msSchema });
export type ShownBrowser = z.infer<typeof shownRow>;

const SELECT = { id: true, name: true, endpoint: true, p256dh: true, auth: true } as const;

/** Runner's role only. */
export const readBrowsers = async ({ workspaceId, userId }: Owner): Promise<readonly BrowserRow[]> => {
  const rows = await getDatabase().pushBrowser.findMany({ where: { workspaceId, userId }, select: SELECT, orderBy: { createdAt: "asc" } });

  return z.array(browserRow).parse(rows);
};

export const listBrowsers = async ({ workspaceId, userId }: Owner): Promise<readonly ShownBrowser[]> => {
  const rows = await scopeToWorkspace(workspaceId).pushBrowser.findMany({
    where: { workspaceId, userId },
    select: { id: true, name: true, createdAt: true },
    orderBy: { createdAt: "asc" },
  });

  return z.array(shownRow).parse(rows);
};

export const putBrowser = async (tx: LedgerTransaction, { workspaceId, userId }: Owner, browser: BrowserRow): Promise<void> => {
  const { id, name, endpoint, p256dh, auth } = browser;
  const data = { name, endpoint, p256dh, auth };
  const where = { workspaceId_userId_id: { workspaceId, userId, id } };
  await tx.pushBrowser.upsert({ where, create: { workspaceId, userId, id, ...data }, update: data });
};

/** @returns false without such a browser */
export const deleteBrowser = async (tx: LedgerTransaction, { workspaceId, userId }: Owner, id: string): Promise<boolean> =>
  (await tx.pushBrowser.deleteMany({ where: { workspaceId, userId, id } })).count > 0;

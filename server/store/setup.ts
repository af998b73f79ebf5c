/** The first rows of an installation. */
import { database } from "@/server/db/client";

/** Whether the link with this hash could be used now. */
export const isSetupTokenOpen = async (hash: string, nowMs: number): Promise<boolean> =>
  (await database().setupToken.count({ where: { hash, usedAt: null, expiresAt: { gt: new Date(nowMs) } } })) === 1;

/** Whether anybody can administer this installation, the demo apart. */
export const hasAdmin = async (): Promise<boolean> =>
  (await database().membership.count({ where: { role: "admin", user: { demo: false }, workspace: { demo: false } } })) > 0;

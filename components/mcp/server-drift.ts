/** How a server differs from its review. */
import type { ServerView } from "@/server/trpc/routers/mcp/view";
import { visibleText } from "@/components/runs/visible-text";

export const driftedTools = (server: ServerView) => server.tools.filter(({ drift }) => drift !== null);

export const isDrifted = (server: ServerView): boolean => driftedTools(server).length + server.identityDrift.length > 0;

/** A server's reported identity, with invisible characters shown. */
export const identityText = (identity: ServerView["identity"]): string =>
  identity ? visibleText(`${identity.name} ${identity.version}`) : "not reported";

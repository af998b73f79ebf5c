/** How a server differs from its review, as screens ask for it. */
import type { ServerView } from "@/server/trpc/routers/mcp/view";
import { visibleText } from "@/components/runs/visible-text";

export const driftedTools = (server: ServerView) => server.tools.filter(({ drift }) => drift !== null);

export const isDrifted = (server: ServerView): boolean => driftedTools(server).length + server.identityDrift.length > 0;

/** Who a server says it is, with nothing of it unseen. */
export const identityText = (identity: ServerView["identity"]): string =>
  identity ? visibleText(`${identity.name} ${identity.version}`) : "it does not say";

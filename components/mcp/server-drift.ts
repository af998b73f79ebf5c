import type { ServerView } from "@/server/trpc/routers/mcp/view";
import { toVisibleText } from "@/components/values/visible-text";

export const listDriftedTools = (server: ServerView) => server.tools.filter(({ drift }) => drift !== null);

export const isDrifted = (server: ServerView): boolean => listDriftedTools(server).length + server.identityDrift.length > 0;

/** Reported identity with invisible characters shown. */
export const describeIdentity = (identity: ServerView["identity"]): string =>
  identity ? toVisibleText(`${identity.name} ${identity.version}`) : "not reported";

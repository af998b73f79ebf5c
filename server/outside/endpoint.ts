/** Address of an outside agent's graph, under this installation's origin. */
import { ownOrigin } from "@/server/own-origin";

/** Audience of a token, without the graph. */
export const getAudience = (workspaceId: string): string => `${ownOrigin()}/api/mcp/${workspaceId}`;

export const getEndpoint = (workspaceId: string, graphId: string): string => `${getAudience(workspaceId)}/${graphId}`;

const WELL_KNOWN = "/.well-known/oauth-protected-resource";

/** RFC 9728: the well-known path precedes the resource's path. */
export const getMetadataUrl = (path: string): string => `${ownOrigin()}${WELL_KNOWN}${path}`;

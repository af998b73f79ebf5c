import { ownOrigin } from "@/server/own-origin";

/** Returns a token's audience, without the graph. */
export const getAudience = (workspaceId: string): string => `${ownOrigin()}/api/mcp/${workspaceId}`;

/** Audience of service accounts: their tokens name the workspace. */
export const getApiAudience = (): string => `${ownOrigin()}/api/v1`;

export const getEndpoint = (workspaceId: string, graphId: string): string => `${getAudience(workspaceId)}/${graphId}`;

const WELL_KNOWN = "/.well-known/oauth-protected-resource";

export const getMetadataUrl = (path: string): string => `${ownOrigin()}${WELL_KNOWN}${path}`;

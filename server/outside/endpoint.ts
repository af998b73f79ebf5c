/** Where outside agents find their graph, under the one address that this installation is known by. */
import { ownOrigin } from "@/server/own-origin";

/** What a token is good for; the graph comes after it. */
export const audienceOf = (workspaceId: string): string => `${ownOrigin()}/api/mcp/${workspaceId}`;

export const endpointOf = (workspaceId: string, graphId: string): string => `${audienceOf(workspaceId)}/${graphId}`;

const WELL_KNOWN = "/.well-known/oauth-protected-resource";

/** RFC 9728: the well-known path comes before the path of what it is about. */
export const metadataUrlOf = (path: string): string => `${ownOrigin()}${WELL_KNOWN}${path}`;

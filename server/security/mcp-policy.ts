/** Where MCP servers over HTTP may be. */
import { env } from "@/server/env";
import type { EgressPolicy } from "./egress-url";

/** Public addresses over https, and the origins of the operator's own network that the environment names. */
export const mcpPolicy = (): EgressPolicy => ({ allowOrigins: env().COUNTERSIGN_MCP_ORIGINS, requireHttps: true });

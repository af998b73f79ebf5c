/** Allowed addresses of HTTP MCP servers. */
import { env } from "@/server/env";
import type { EgressPolicy } from "./egress-url";

/** Public addresses over https, and origins that the environment opens. */
export const mcpPolicy = (): EgressPolicy => ({ allowOrigins: env().COUNTERSIGN_MCP_ORIGINS, requireHttps: true });

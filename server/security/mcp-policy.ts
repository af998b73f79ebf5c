/** Allowed addresses of HTTP MCP servers. */
import { readEnv } from "@/server/env";
import type { EgressPolicy } from "./egress-url";

/** Public addresses over https, and origins that the environment opens. */
export const getMcpPolicy = (): EgressPolicy => ({ allowOrigins: readEnv().COUNTERSIGN_MCP_ORIGINS, requireHttps: true });

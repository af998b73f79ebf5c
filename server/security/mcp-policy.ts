import { readEnv } from "@/server/env";
import type { EgressPolicy } from "./egress-url";

/** Public addresses over https, and configured origins. */
export const getMcpPolicy = (): EgressPolicy => ({ allowOrigins: readEnv().COUNTERSIGN_MCP_ORIGINS, requireHttps: true });

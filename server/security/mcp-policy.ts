import { readEnv } from "@/server/env";
import type { EgressPolicy } from "./egress-url";

/** Allows public addresses over https, and the environment's origins. */
export const getMcpPolicy = (): EgressPolicy => ({ allowOrigins: readEnv().COUNTERSIGN_MCP_ORIGINS, requireHttps: true });

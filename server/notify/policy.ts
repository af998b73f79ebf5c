import { readEnv } from "@/server/env";
import type { EgressPolicy } from "@/server/security/egress-url";

/** Returns origins that the operator allows besides public ones. */
export const getWebhookPolicy = (): EgressPolicy => ({ allowOrigins: readEnv().COUNTERSIGN_WEBHOOK_ORIGINS, requireHttps: true });

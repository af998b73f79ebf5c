/** Allowed destinations of webhooks. */
import { readEnv } from "@/server/env";
import type { EgressPolicy } from "@/server/security/egress-url";

/** Origins that the operator allows besides public ones, through the environment only. */
export const getWebhookPolicy = (): EgressPolicy => ({ allowOrigins: readEnv().COUNTERSIGN_WEBHOOK_ORIGINS, requireHttps: true });

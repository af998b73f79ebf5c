/** Allowed destinations of webhooks. */
import { env } from "@/server/env";
import type { EgressPolicy } from "@/server/security/egress-url";

/** Origins that the operator allows besides public ones, through the environment only. */
export const webhookPolicy = (): EgressPolicy => ({ allowOrigins: env().COUNTERSIGN_WEBHOOK_ORIGINS, requireHttps: true });

import { readEnv } from "@/server/env";
import type { EgressPolicy } from "@/server/security/egress-url";

export const getWebhookPolicy = (): EgressPolicy => ({ allowOrigins: readEnv().COUNTERSIGN_WEBHOOK_ORIGINS, requireHttps: true });

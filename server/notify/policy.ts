/** Where notifications may go. */
import { env } from "@/server/env";
import type { EgressPolicy } from "@/server/security/egress-url";

/** What whoever runs this installation has opened beside public addresses, by its environment; nobody can on a page. */
export const webhookPolicy = (): EgressPolicy => ({ allowOrigins: env().COUNTERSIGN_WEBHOOK_ORIGINS, requireHttps: true });

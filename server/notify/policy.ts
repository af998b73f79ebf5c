/** Where notifications may go. */
import { err, ok, type Result } from "@/lib/result";
import { env } from "@/server/env";
import { checkUrl, type EgressFault, type EgressPolicy } from "@/server/security/egress-url";

/** What whoever runs this installation has opened beside public addresses, by its environment; nobody can on a page. */
export const webhookPolicy = (): EgressPolicy => ({ allowOrigins: env().COUNTERSIGN_WEBHOOK_ORIGINS });

export type WebhookUrlFault = EgressFault | "not_https";

/** As typed: the same guard looks again at the address that it resolves to, at every attempt. */
export const checkWebhookUrl = (text: string, policy: EgressPolicy): Result<URL, WebhookUrlFault> => {
  const checked = checkUrl(text, policy);
  if (!checked.ok) return err(checked.error);
  const { protocol, origin } = checked.value;

  return protocol === "https:" || policy.allowOrigins.includes(origin) ? ok(checked.value) : err("not_https");
};

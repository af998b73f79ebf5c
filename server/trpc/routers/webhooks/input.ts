import { z } from "zod";
import { AppError } from "@/lib/errors";
import type { EndpointFields } from "@/lib/webhooks/endpoint";
import { getWebhookPolicy } from "@/server/notify/policy";
import { checkUrl, type EgressFault } from "@/server/security/egress-url";

export const endpointInput = z.strictObject({ endpointId: z.uuid() });

const REASONS = {
  url_invalid: "Enter a valid address.",
  scheme_not_http: "The address must begin with https://.",
  not_https: "The address must begin with https://, so that webhooks can't be read in transit.",
  credentials_in_url: "The address must not contain a user name or password.",
  host_not_public: "The address is not public. Local and private networks are refused unless the operator allows one.",
} as const satisfies Record<EgressFault, string>;

export const toEndpointFields = (
  { description, format, groupName, types, graphIds, statuses }: EndpointFields,
  url: string,
): EndpointFields => ({
  url,
  description,
  format,
  groupName,
  types: [...new Set(types)],
  graphIds: [...new Set(graphIds)],
  statuses: [...new Set(statuses)],
});

export const parseAcceptedUrl = (text: string): string => {
  const checked = checkUrl(text, getWebhookPolicy());
  if (!checked.ok) throw new AppError("egress_blocked", { message: REASONS[checked.error] });

  return checked.value.href;
};

import type { Trigger, TriggerOf, WebhookScheme } from "./trigger";

export const SCHEME_NAMES: Readonly<Record<WebhookScheme, string>> = {
  standard: "Standard Webhooks",
  github: "GitHub",
  stripe: "Stripe",
  slack: "Slack",
};

const describeSenders = ({ signed_by: domains }: TriggerOf<"email">): string => {
  if (domains === undefined) return " from anyone";

  return domains.length === 0 ? " signed by the sender's domain" : ` signed by ${domains.join(" or ")}`;
};

const describeEvent = (trigger: Trigger): string => {
  switch (trigger.kind) {
    case "webhook":
      return `${trigger.id}: a webhook signed as ${SCHEME_NAMES[trigger.scheme]} with ${trigger.secret}`;
    case "schedule":
      return `${trigger.id}: the schedule ${trigger.cron} (${trigger.time_zone})`;
    case "email":
      return `${trigger.id}: e-mail to ${trigger.user} at ${trigger.host}${describeSenders(trigger)}`;
    case "mcp_resource":
      return `${trigger.id}: changes of ${trigger.uri} on ${trigger.server}`;
    case "run_end":
      return `${trigger.id}: a run of ${trigger.graph_id} that is ${trigger.statuses.join(" or ")}`;
    default:
      return trigger satisfies never;
  }
};

export const describeTrigger = (trigger: Trigger): string =>
  `${describeEvent(trigger)}${trigger.environment === undefined ? "" : `, in ${trigger.environment}`}`;

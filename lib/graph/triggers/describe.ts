import type { Trigger, WebhookScheme } from "./trigger";

export const SCHEME_NAMES: Readonly<Record<WebhookScheme, string>> = {
  standard: "Standard Webhooks",
  github: "GitHub",
  stripe: "Stripe",
  slack: "Slack",
};

const describeEvent = (trigger: Trigger): string => {
  switch (trigger.kind) {
    case "webhook":
      return `${trigger.id}: a webhook signed as ${SCHEME_NAMES[trigger.scheme]} with ${trigger.secret}`;
    case "schedule":
      return `${trigger.id}: the schedule ${trigger.cron} (${trigger.time_zone})`;
    case "run_end":
      return `${trigger.id}: a run of ${trigger.graph_id} that is ${trigger.statuses.join(" or ")}`;
    default:
      return trigger satisfies never;
  }
};

export const describeTrigger = (trigger: Trigger): string =>
  `${describeEvent(trigger)}${trigger.environment === undefined ? "" : `, in ${trigger.environment}`}`;

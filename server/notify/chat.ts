import type { ClosedItem, NotificationItem, NotificationMessage } from "@/lib/notifications/message";
import { renderSlack } from "@/lib/notifications/slack";
import { renderTeams } from "@/lib/notifications/teams";
import type { EndpointFormat } from "@/lib/webhooks/endpoint";
import { linkInto } from "@/lib/workspace-link";
import { getApprovalFacts } from "@/server/store/webhooks/facts";
import type { ClaimedDelivery } from "@/server/store/webhooks/outbox";

export type DescribeForAll = (workspaceId: string, approvalId: string) => Promise<NotificationItem | null>;

const RENDERERS = { slack: renderSlack, teams: renderTeams } as const;

const findClosed = async ({ workspaceId, type, subject }: ClaimedDelivery, origin: string): Promise<ClosedItem | null> => {
  const facts = type === "approval.resolved" ? await getApprovalFacts(workspaceId, subject) : null;

  return (
    facts && {
      graphName: facts.graphName,
      outcome: facts.status.replaceAll("_", " "),
      url: origin + linkInto(workspaceId, `/approvals/${facts.id}`),
    }
  );
};

/** Null: nothing to tell any more. Not kept: values stay in cells. */
export const buildChatPayload = async (
  delivery: ClaimedDelivery,
  format: Exclude<EndpointFormat, "signed">,
  { origin, describe }: { readonly origin: string; readonly describe: DescribeForAll },
): Promise<string | null> => {
  const { id, type, subject, workspaceId } = delivery;
  const [approvalId = ""] = subject.split("@");
  const isTest = type === "webhook.test";
  const closed = await findClosed(delivery, origin);
  const item = isTest || type === "approval.resolved" ? null : await describe(workspaceId, approvalId);
  if (!isTest && !closed && !item) return null;
  const message: NotificationMessage = {
    id,
    isTest,
    isReminder: type === "approval.reminder" || type === "approval.escalated",
    code: null,
    workspaceName: "this workspace",
    items: item ? [item] : [],
    closed: closed ? [closed] : [],
    mentions: [],
    settingsUrl: `${origin}/admin/webhooks`,
    timeZone: "UTC",
  };

  return JSON.stringify(RENDERERS[format](message));
};

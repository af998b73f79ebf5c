import type { Outputs } from "@/components/trpc/outputs";
import { ListTable, timeColumn, type Column } from "@/components/ui/list-table";
import { describeOutcome, STATUSES } from "@/components/account/notification-outcome";
import { Mark } from "@/components/ui/marks/mark";

type Shown = Outputs["notifications"]["get"]["latest"][number];

const ABOUTS = {
  "approval.requested": "Approval request",
  "approval.reminded": "Reminder",
  "approval.escalated": "Escalation",
  mention: "Mention",
  "approval.updated": "Change of a message",
  test: "Test",
  code: "Code",
} as const satisfies Record<Shown["type"], string>;

const COLUMNS: readonly Column<Shown>[] = [
  { name: "About", className: "whitespace-nowrap", cell: ({ type }) => ABOUTS[type] },
  { name: "Status", cell: ({ status }) => <Mark kind={STATUSES[status].kind}>{STATUSES[status].label}</Mark> },
  { name: "Outcome", className: "min-w-48 text-muted", cell: describeOutcome },
  timeColumn("Next attempt", ({ status, nextAt }) => (status === "pending" ? nextAt : null), "–"),
  timeColumn("Created", ({ createdAt }) => createdAt),
];

export const NotificationTable = ({ latest }: { readonly latest: readonly Shown[] }) =>
  latest.length === 0 ? null : <ListTable label="Latest notifications" columns={COLUMNS} rows={latest} rowKey={({ id }) => id} />;

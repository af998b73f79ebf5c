import type { Outputs } from "@/components/trpc/outputs";
import { ListTable, timeColumn, type Column } from "@/components/ui/list-table";
import { Mark } from "@/components/ui/marks/mark";
import type { MarkKind } from "@/components/ui/marks/marks";
import type { DeliveryFault } from "@/lib/webhooks/types";

type Shown = Outputs["notifications"]["get"]["latest"][number];

const STATUSES = {
  pending: { kind: "waiting", label: "Waiting" },
  delivered: { kind: "clean", label: "Sent" },
  failed: { kind: "refused", label: "Failed" },
  dropped: { kind: "hidden", label: "Not sent" },
} as const satisfies Record<Shown["status"], { kind: MarkKind; label: string }>;

const FAULTS = {
  blocked: "The server's address is not allowed.",
  unreachable: "The e-mail server did not respond.",
  timeout: "The e-mail server did not respond within 10 seconds.",
  redirected: "The e-mail server redirected.",
  refused: "The e-mail server refused the message.",
  insecure: "The e-mail server's connection could not be secured.",
  subject_gone: "The request no longer exists.",
  secret_unreadable: "The password can't be read.",
} as const satisfies Record<DeliveryFault, string>;

const describeOutcome = ({ status, code, fault }: Shown): string => {
  if (fault !== null) return code === null ? FAULTS[fault] : `${code}: ${FAULTS[fault]}`;
  if (status === "dropped") return "Closed or switched off before its turn.";

  return status === "delivered" ? `${code ?? 250}: accepted by the e-mail server` : "–";
};

const COLUMNS: readonly Column<Shown>[] = [
  { name: "About", className: "whitespace-nowrap", cell: ({ type }) => (type === "test" ? "Test" : "Approval request") },
  { name: "Status", cell: ({ status }) => <Mark kind={STATUSES[status].kind}>{STATUSES[status].label}</Mark> },
  { name: "Outcome", className: "min-w-48 text-muted", cell: describeOutcome },
  timeColumn("Next attempt", ({ status, nextAt }) => (status === "pending" ? nextAt : null), "–"),
  timeColumn("Created", ({ createdAt }) => createdAt),
];

/** Latest notifications and what came of them. */
export const NotificationTable = ({ latest }: { readonly latest: readonly Shown[] }) =>
  latest.length === 0 ? null : <ListTable label="Latest notifications" columns={COLUMNS} rows={latest} rowKey={({ id }) => id} />;

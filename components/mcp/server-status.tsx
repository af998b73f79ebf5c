import { Mark } from "@/components/ui/marks/mark";
import type { MarkKind } from "@/components/ui/marks/marks";
import type { McpStatus } from "@/lib/mcp/status";

const STATUSES = {
  quarantined: { kind: "waiting", label: "Quarantined" },
  reviewed: { kind: "reviewed", label: "Reviewed" },
  active: { kind: "clean", label: "Active" },
  suspended: { kind: "refused", label: "Suspended" },
  revoked: { kind: "hidden", label: "Revoked" },
} as const satisfies Record<McpStatus, { kind: MarkKind; label: string }>;

type Props = { readonly status: McpStatus; readonly hasDrift: boolean };

/** Where a server is in its life; a suspension by drift says so. */
export const ServerStatus = ({ status, hasDrift }: Props) => {
  const { kind, label } = STATUSES[status];

  return <Mark kind={kind}>{status === "suspended" && hasDrift ? "Drifted, suspended" : label}</Mark>;
};

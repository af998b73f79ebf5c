import { Mark } from "@/components/ui/marks/mark";
import type { MarkKind } from "@/components/ui/marks/marks";
import type { McpStatus } from "@/lib/mcp/status";

const STATUSES = {
  discovered: { kind: "waiting", label: "Discovered" },
  quarantined: { kind: "waiting", label: "Quarantined" },
  reviewed: { kind: "reviewed", label: "Reviewed" },
  active: { kind: "clean", label: "Active" },
  drifted: { kind: "tainted", label: "Drifted" },
  suspended: { kind: "refused", label: "Suspended" },
  revoked: { kind: "hidden", label: "Revoked" },
} as const satisfies Record<McpStatus, { kind: MarkKind; label: string }>;

export const ServerStatus = ({ status }: { readonly status: McpStatus }) => {
  const { kind, label } = STATUSES[status];

  return <Mark kind={kind}>{label}</Mark>;
};

import { Mark } from "@/components/ui/marks/mark";
import type { MarkKind } from "@/components/ui/marks/marks";
import type { ShownStatus } from "@/lib/mcp/program-presence";

const STATUSES = {
  discovered: { kind: "waiting", label: "Discovered" },
  quarantined: { kind: "waiting", label: "Quarantined" },
  reviewed: { kind: "reviewed", label: "Reviewed" },
  active: { kind: "clean", label: "Active" },
  program_gone: { kind: "refused", label: "Program missing or changed" },
  drifted: { kind: "tainted", label: "Drifted" },
  suspended: { kind: "refused", label: "Suspended" },
  revoked: { kind: "hidden", label: "Revoked" },
} as const satisfies Record<ShownStatus, { kind: MarkKind; label: string }>;

export const ServerStatus = ({ status }: { readonly status: ShownStatus }) => {
  const { kind, label } = STATUSES[status];

  return <Mark kind={kind}>{label}</Mark>;
};

import type { Outputs } from "@/components/trpc/outputs";
import type { MarkKind } from "@/components/ui/marks/marks";
import type { DeliveryFault } from "@/lib/webhooks/types";

type Shown = Outputs["notifications"]["get"]["latest"][number];

export const STATUSES = {
  pending: { kind: "waiting", label: "Waiting" },
  delivered: { kind: "clean", label: "Sent" },
  failed: { kind: "refused", label: "Failed" },
  dropped: { kind: "hidden", label: "Not sent" },
} as const satisfies Record<Shown["status"], { kind: MarkKind; label: string }>;

const FAULTS = {
  blocked: "The server's address is not allowed.",
  unreachable: "The server did not respond.",
  timeout: "The server did not respond within 10 seconds.",
  redirected: "The server redirected.",
  refused: "The server refused the message.",
  insecure: "The server's connection could not be secured.",
  subject_gone: "The request no longer exists.",
  secret_unreadable: "The password can't be read.",
} as const satisfies Record<DeliveryFault, string>;

export const describeOutcome = ({ status, code, fault }: Shown): string => {
  if (fault !== null) return code === null ? FAULTS[fault] : `${code}: ${FAULTS[fault]}`;
  if (status === "dropped") return "Closed or switched off before its turn.";

  return status === "delivered" ? `${code ?? 250}: accepted by the server` : "–";
};

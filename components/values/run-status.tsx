import { Ban, CircleDashed, CircleDollarSign, Hourglass, Play, RotateCw, TimerOff, type LucideIcon } from "lucide-react";
import { Badge } from "@/components/ui/badge";
import { Mark } from "@/components/ui/marks/mark";
import type { MarkKind } from "@/components/ui/marks/marks";
import type { RunStatus } from "@/lib/engine/event";

type Spec = { readonly label: string; readonly mark: MarkKind } | { readonly label: string; readonly icon: LucideIcon };

const STATUS = {
  pending: { label: "Pending", icon: CircleDashed },
  scheduled: { label: "Scheduled", icon: Hourglass },
  running: { label: "Running", icon: Play },
  waiting: { label: "Waiting", mark: "waiting" },
  retrying: { label: "Retrying", icon: RotateCw },
  completed: { label: "Completed", mark: "clean" },
  failed: { label: "Failed", mark: "refused" },
  cancelled: { label: "Cancelled", icon: Ban },
  timeout: { label: "Timed out", icon: TimerOff },
  budget_exceeded: { label: "Budget exceeded", icon: CircleDollarSign },
} as const satisfies Record<RunStatus, Spec>;

export const RUN_STATUS_LABELS: Readonly<Record<RunStatus, string>> = Object.fromEntries(
  Object.entries(STATUS).map(([status, { label }]) => [status, label]),
) as Record<RunStatus, string>;

export const RunStatusMark = ({ status }: { readonly status: RunStatus }) => {
  const spec: Spec = STATUS[status];
  if ("mark" in spec) return <Mark kind={spec.mark}>{spec.label}</Mark>;
  const Icon = spec.icon;

  return (
    <Badge>
      <Icon aria-hidden className="size-3" />
      {spec.label}
    </Badge>
  );
};

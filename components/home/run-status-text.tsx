import { cn } from "@/components/ui/cn";
import type { RunStatus } from "@/lib/engine/event";

const STATUS = {
  pending: { label: "Pending", dot: "border border-control" },
  scheduled: { label: "Scheduled", dot: "border border-control" },
  running: { label: "Running", dot: "bg-accent" },
  waiting: { label: "Waiting", dot: "bg-waiting" },
  retrying: { label: "Retrying", dot: "bg-tainted" },
  completed: { label: "Completed", dot: "bg-clean" },
  failed: { label: "Failed", dot: "bg-refused" },
  cancelled: { label: "Cancelled", dot: "bg-hidden" },
  timeout: { label: "Timed out", dot: "bg-refused" },
} as const satisfies Record<RunStatus, { label: string; dot: string }>;

/** The state of a run in a word; the dot only repeats it. */
export const RunStatusText = ({ status }: { readonly status: RunStatus }) => (
  <span className="inline-flex w-24 shrink-0 items-center gap-2 text-xs text-muted">
    <span aria-hidden className={cn("size-2 shrink-0 rounded-full", STATUS[status].dot)} />
    {STATUS[status].label}
  </span>
);

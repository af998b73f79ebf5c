"use client";

import { useMutation } from "@tanstack/react-query";
import Link from "next/link";
import { useRouter } from "next/navigation";
import { toApiError } from "@/components/trpc/api-error";
import type { Outputs } from "@/components/trpc/outputs";
import { useTRPC } from "@/components/trpc/trpc";
import { Button } from "@/components/ui/button";
import { ListTable, timeColumn, WIDE, type Column } from "@/components/ui/list-table";
import { Mark } from "@/components/ui/marks/mark";
import type { MarkKind } from "@/components/ui/marks/marks";
import { notify } from "@/components/ui/toast";
import { REFUSALS } from "@/lib/refusal";
import { explainDenial, type Role } from "@/lib/roles";

type Event = Outputs["triggers"]["events"]["events"][number];

const STATUSES = {
  pending: { kind: "waiting", label: "Arrived" },
  queued: { kind: "waiting", label: "Waiting" },
  accepted: { kind: "waiting", label: "Starting" },
  started: { kind: "clean", label: "Started" },
  refused: { kind: "refused", label: "Refused" },
} as const satisfies Record<Event["status"], { kind: MarkKind; label: string }>;

const linkStyle = "text-accent hover:underline";

const Outcome = ({ event: { status, code, runId } }: { readonly event: Event }) => {
  if (code !== null) return REFUSALS[code].message;
  if (status === "queued") return "Starts when the run under way has ended.";
  if (status !== "started" || runId === null) return "–";

  return (
    <span className="flex flex-wrap gap-x-3">
      <Link href={`/runs/${runId}`} className={linkStyle}>
        Run {runId.slice(0, 8)}
      </Link>
      <Link href={`/runs/${runId}?t=0`} className={linkStyle}>
        Payload
      </Link>
    </span>
  );
};

const COLUMNS: readonly Column<Event>[] = [
  { name: "Trigger", className: "font-mono text-xs whitespace-nowrap", cell: ({ trigger }) => trigger },
  {
    name: "Status",
    className: "whitespace-nowrap",
    cell: ({ status }) => <Mark kind={STATUSES[status].kind}>{STATUSES[status].label}</Mark>,
  },
  { name: "Outcome", className: "min-w-40", cell: (event) => <Outcome event={event} /> },
  timeColumn("Received", ({ receivedAt }) => receivedAt),
  {
    name: "Event ID",
    className: `max-w-56 truncate font-mono text-xs text-faint ${WIDE}`,
    headerClassName: WIDE,
    hover: ({ eventId }) => eventId ?? undefined,
    cell: ({ eventId }) => eventId ?? "not verified",
  },
];

const Replay = ({ event: { runId, status }, role }: { readonly event: Event; readonly role: Role }) => {
  const router = useRouter();
  const fork = useMutation(
    useTRPC().runs.fork.mutationOptions({
      onSuccess: (made) => router.push(`/runs/${made.runId}`),
      onError: (error) => notify({ tone: "error", title: toApiError(error).message }),
    }),
  );

  return (
    <Button
      size="sm"
      variant="ghost"
      disabledReason={explainDenial(role, "run.start") ?? (status === "started" ? null : "Nothing was started")}
      pending={fork.isPending ? "Replaying…" : null}
      title="Starts a simulated fork with the same inputs; it calls nothing."
      onClick={() => {
        if (runId !== null) fork.mutate({ runId, seq: 0, change: { type: "none" }, effects: "simulate" });
      }}
    >
      Replay
    </Button>
  );
};

type Props = { readonly events: readonly Event[]; readonly role: Role };

export const EventTable = ({ events, role }: Props) => (
  <ListTable
    label="Events"
    columns={COLUMNS}
    rows={events}
    rowKey={({ id }) => id}
    renderActions={(event) => <Replay event={event} role={role} />}
  />
);

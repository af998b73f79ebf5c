"use client";

import { useMutation } from "@tanstack/react-query";
import { parseAsStringLiteral, useQueryState } from "nuqs";
import { toApiError } from "@/components/trpc/api-error";
import { useTRPC } from "@/components/trpc/trpc";
import { useRefresh } from "@/components/trpc/use-refresh";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { ListTable, timeColumn, type Column } from "@/components/ui/list-table";
import { Mark } from "@/components/ui/marks/mark";
import type { MarkKind } from "@/components/ui/marks/marks";
import { Select } from "@/components/ui/select";
import { notify } from "@/components/ui/toast";
import { explainDenial, type Role } from "@/lib/roles";
import { DELIVERY_STATUSES } from "@/lib/webhooks/types";
import type { DeliveryView } from "@/server/trpc/routers/webhooks/get";
import { describeFault, formatDelivery } from "./labels";

const STATUSES = {
  pending: { kind: "waiting", label: "Pending" },
  delivered: { kind: "clean", label: "Delivered" },
  failed: { kind: "refused", label: "Failed" },
  dropped: { kind: "hidden", label: "Dropped" },
} as const satisfies Record<DeliveryView["status"], { kind: MarkKind; label: string }>;

const SHOWN = ["all", ...DELIVERY_STATUSES] as const;
const CHOICES = SHOWN.map((value) => ({ value, label: value === "all" ? "All" : STATUSES[value].label }));

const subjectText = ({ type, subject }: DeliveryView): string => {
  if (type === "checkpoint.signed") return `${subject} records`;
  if (type === "server.suspended") return subject.slice(0, subject.lastIndexOf("@"));

  return subject.slice(0, 8);
};

const COLUMNS: readonly Column<DeliveryView>[] = [
  { name: "Event", className: "whitespace-nowrap", cell: ({ type }) => formatDelivery(type) },
  { name: "Subject", className: "max-w-40 truncate font-mono text-xs", hover: ({ subject }) => subject, cell: subjectText },
  { name: "Status", cell: ({ status }) => <Mark kind={STATUSES[status].kind}>{STATUSES[status].label}</Mark> },
  { name: "Attempts", numeric: true, cell: ({ attempts }) => attempts },
  {
    name: "Response",
    className: "min-w-48 text-muted",
    cell: ({ fault, code }) => (fault === null ? (code ?? "–") : describeFault(fault, code)),
  },
  timeColumn("Next attempt", ({ nextAt }) => nextAt, "–"),
  timeColumn("Created", ({ createdAt }) => createdAt),
  { name: "ID", className: "font-mono text-xs text-faint", hover: ({ id }) => id, cell: ({ id }) => id.slice(0, 8) },
];

const Resend = ({ delivery: { id, status }, whyNot }: { readonly delivery: DeliveryView; readonly whyNot: string | null }) => {
  const trpc = useTRPC();
  const again = useMutation(
    trpc.webhooks.redeliver.mutationOptions({
      onSettled: useRefresh(trpc.webhooks.pathFilter()),
      onError: (error) => notify({ tone: "error", title: toApiError(error).message }),
    }),
  );

  return (
    <Button
      size="sm"
      variant="ghost"
      aria-label={`Resend ${id.slice(0, 8)}`}
      disabledReason={status === "pending" ? "The delivery is still pending" : whyNot}
      pending={again.isPending ? "Sending…" : null}
      onClick={() => again.mutate({ deliveryId: id })}
    >
      Resend
    </Button>
  );
};

type Props = { readonly deliveries: readonly DeliveryView[]; readonly isOff: boolean; readonly role: Role };

export const DeliveryTable = ({ deliveries, isOff, role }: Props) => {
  const [shown, setShown] = useQueryState("status", parseAsStringLiteral(SHOWN).withDefault("all"));
  if (deliveries.length === 0) {
    return (
      <EmptyState kind="nothing_yet" title="No deliveries yet">
        Events from now on appear here. Send a test to check that the endpoint responds.
      </EmptyState>
    );
  }
  const whyNot = explainDenial(role, "webhook.manage") ?? (isOff ? "The endpoint is off" : null);

  return (
    <div className="flex flex-col gap-3">
      <div className="flex items-center justify-between gap-3">
        <h2 className="text-base font-semibold">Deliveries</h2>
        <div className="w-40">
          <Select aria-label="Show deliveries" items={CHOICES} value={shown} onValueChange={(next) => void setShown(next)} />
        </div>
      </div>
      <ListTable
        label="Deliveries"
        columns={COLUMNS}
        rows={deliveries.filter(({ status }) => shown === "all" || status === shown)}
        rowKey={({ id }) => id}
        renderActions={(delivery) => <Resend delivery={delivery} whyNot={whyNot} />}
        empty={
          <EmptyState kind="no_match" title="No matching deliveries" action={<Button onClick={() => void setShown(null)}>Show all</Button>}>
            Deliveries with another status exist.
          </EmptyState>
        }
      />
    </div>
  );
};

"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { toApiError } from "@/components/trpc/api-error";
import { useTRPC } from "@/components/trpc/trpc";
import { Button } from "@/components/ui/button";
import { Mark } from "@/components/ui/marks/mark";
import type { MarkKind } from "@/components/ui/marks/marks";
import { RelativeTime } from "@/components/ui/relative-time";
import { TableCell, TableRow } from "@/components/ui/table";
import { notify } from "@/components/ui/toast";
import type { DeliveryView } from "@/server/trpc/routers/webhooks/get";
import { formatDelivery, describeFault } from "./labels";

const STATUSES = {
  pending: { kind: "waiting", label: "Pending" },
  delivered: { kind: "clean", label: "Delivered" },
  failed: { kind: "refused", label: "Failed" },
  dropped: { kind: "hidden", label: "Dropped" },
} as const satisfies Record<DeliveryView["status"], { kind: MarkKind; label: string }>;

const subjectText = ({ type, subject }: DeliveryView): string => {
  if (type === "checkpoint.signed") return `${subject} records`;
  if (type === "server.suspended") return subject.slice(0, subject.lastIndexOf("@"));

  return subject.slice(0, 8);
};

type Props = { readonly delivery: DeliveryView; readonly whyNotAgain: string | null };

/** Delivery with its result. */
export const DeliveryRow = ({ delivery, whyNotAgain }: Props) => {
  const trpc = useTRPC();
  const client = useQueryClient();
  const again = useMutation(
    trpc.webhooks.redeliver.mutationOptions({
      onSettled: () => client.invalidateQueries({ queryKey: trpc.webhooks.pathKey() }),
      onError: (error) => notify({ tone: "error", title: toApiError(error).message }),
    }),
  );
  const { kind, label } = STATUSES[delivery.status];
  const { fault, code, nextAt, status } = delivery;

  return (
    <TableRow>
      <TableCell className="whitespace-nowrap">{formatDelivery(delivery.type)}</TableCell>
      <TableCell className="max-w-40 truncate font-mono text-xs" title={delivery.subject}>
        {subjectText(delivery)}
      </TableCell>
      <TableCell>
        <Mark kind={kind}>{label}</Mark>
      </TableCell>
      <TableCell numeric>{delivery.attempts}</TableCell>
      <TableCell className="min-w-48 text-muted">{fault === null ? (code ?? "–") : describeFault(fault, code)}</TableCell>
      <TableCell className="whitespace-nowrap text-muted">{nextAt === null ? "–" : <RelativeTime at={nextAt} />}</TableCell>
      <TableCell className="whitespace-nowrap text-muted">
        <RelativeTime at={delivery.createdAt} />
      </TableCell>
      <TableCell className="font-mono text-xs text-faint" title={delivery.id}>
        {delivery.id.slice(0, 8)}
      </TableCell>
      <TableCell className="text-right">
        <Button
          size="sm"
          variant="ghost"
          aria-label={`Resend ${delivery.id.slice(0, 8)}`}
          disabledReason={status === "pending" ? "The delivery is still pending" : whyNotAgain}
          pending={again.isPending ? "Sending…" : null}
          onClick={() => again.mutate({ deliveryId: delivery.id })}
        >
          Resend
        </Button>
      </TableCell>
    </TableRow>
  );
};

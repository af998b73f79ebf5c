"use client";

import { parseAsStringLiteral, useQueryState } from "nuqs";
import { ListTable } from "@/components/ui/list-table";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { Select } from "@/components/ui/select";
import { DELIVERY_STATUSES } from "@/lib/webhooks/types";
import { explainDenial, type Role } from "@/lib/roles";
import type { DeliveryView } from "@/server/trpc/routers/webhooks/get";
import { DeliveryRow } from "./delivery-row";

const COLUMNS = ["Event", "Subject", "Status", "Attempts", "Response", "Next attempt", "Created", "ID"] as const;
const SHOWN = ["all", ...DELIVERY_STATUSES] as const;

const CHOICES = [
  { value: "all", label: "All" },
  { value: "pending", label: "Pending" },
  { value: "delivered", label: "Delivered" },
  { value: "failed", label: "Failed" },
  { value: "dropped", label: "Dropped" },
] as const satisfies readonly { readonly value: (typeof SHOWN)[number]; readonly label: string }[];

type Props = { readonly deliveries: readonly DeliveryView[]; readonly isOff: boolean; readonly role: Role };

/** Newest deliveries of an endpoint. */
export const DeliveryTable = ({ deliveries, isOff, role }: Props) => {
  const [shown, setShown] = useQueryState("status", parseAsStringLiteral(SHOWN).withDefault("all"));
  if (deliveries.length === 0) {
    return (
      <EmptyState kind="nothing_yet" title="No deliveries yet">
        Events from now on appear here. Send a test to check that the endpoint responds.
      </EmptyState>
    );
  }
  const rows = deliveries.filter(({ status }) => shown === "all" || status === shown);
  const whyNotAgain = explainDenial(role, "webhook.manage") ?? (isOff ? "The endpoint is off" : null);

  return (
    <div className="flex flex-col gap-3">
      <div className="flex items-center justify-between gap-3">
        <h2 className="text-base font-semibold">Deliveries</h2>
        <div className="w-40">
          <Select aria-label="Show deliveries" items={CHOICES} value={shown} onValueChange={(next) => void setShown(next)} />
        </div>
      </div>
      {rows.length === 0 ? (
        <EmptyState kind="no_match" title="No matching deliveries" action={<Button onClick={() => void setShown(null)}>Show all</Button>}>
          Deliveries with another status exist.
        </EmptyState>
      ) : (
        <ListTable label="Deliveries" columns={COLUMNS} hasActions>
          {rows.map((delivery) => (
            <DeliveryRow key={delivery.id} delivery={delivery} whyNotAgain={whyNotAgain} />
          ))}
        </ListTable>
      )}
    </div>
  );
};

"use client";

import { Button } from "@/components/ui/button";
import { DataTable, MUTED, type Column } from "@/components/ui/list-table";
import { Mark } from "@/components/ui/marks/mark";
import { Panel } from "@/components/ui/panel";
import { TableCell, TableRow } from "@/components/ui/table";
import { ConfirmAction } from "@/components/ui/confirm-action";
import { Failure } from "@/components/ui/failure";
import { count } from "@/lib/format";
import { explainDenial, type Role } from "@/lib/roles";
import type { ModelView } from "@/server/trpc/routers/models/settings";
import { PriceDialog } from "./price-dialog";
import { useModelChange } from "./use-models";
import { priceDay, priceSource, rate } from "./labels";

type Props = { readonly models: readonly ModelView[]; readonly priceList: string; readonly role: Role };

const Allowed = ({ model, reason }: { readonly model: ModelView; readonly reason: string | null }) => {
  const { send, isPending, error } = useModelChange();
  const { allowed } = model;

  return (
    <span className="flex flex-wrap items-center gap-2">
      {allowed ? <Mark kind="clean">Yes</Mark> : <Mark kind="refused">No</Mark>}
      <Button
        size="sm"
        variant="ghost"
        disabledReason={reason}
        pending={isPending ? "Committing…" : null}
        aria-label={`${allowed ? "Block" : "Allow"} ${model.id}`}
        onClick={() =>
          send(
            { type: "allow_model", model: model.id, revision: model.revision, allowed: !allowed },
            allowed ? "Model blocked. Its next call is refused." : "Model allowed.",
          )
        }
      >
        {allowed ? "Block" : "Allow"}
      </Button>
      <Failure error={error} />
    </span>
  );
};

const HINT = "USD per million tokens";

const listColumns = (priceList: string, reason: string | null): readonly Column<ModelView>[] => [
  {
    name: "Model",
    className: "max-w-96",
    cell: ({ id, own }) => (
      <>
        <span className="block truncate font-mono text-xs" title={id}>
          {id}
        </span>
        {own ? null : <span className="text-xs text-muted">Installation</span>}
      </>
    ),
  },
  { name: "Input", numeric: true, hint: HINT, cell: ({ rates }) => (rates ? rate(rates.input_usd_per_million) : "–") },
  { name: "Output", numeric: true, hint: HINT, cell: ({ rates }) => (rates ? rate(rates.output_usd_per_million) : "–") },
  {
    name: "Price source",
    className: "max-w-72 text-xs",
    cell: (model) => {
      const source = priceSource(model, priceList);

      return source === null ? (
        <Mark kind="refused">No price: can&apos;t be called</Mark>
      ) : (
        <span className="block truncate" title={source}>
          {source}
        </span>
      );
    },
  },
  { name: "Price date", className: `tabular text-xs ${MUTED}`, cell: (model) => priceDay(model) ?? "" },
  { name: "Allowed", cell: (model) => <Allowed model={model} reason={reason} /> },
];

const Actions = ({ model, reason }: { readonly model: ModelView; readonly reason: string | null }) => {
  const { sendAndWait } = useModelChange();

  return (
    <span className="flex justify-end gap-1">
      <PriceDialog model={model} reason={reason} />
      {model.own ? (
        <ConfirmAction
          label="Remove…"
          title={`Remove ${model.id}?`}
          consequence="It is removed from the list with its price, and its next call is refused."
          confirm="Remove model"
          pending="Committing…"
          disabledReason={reason}
          act={() => sendAndWait({ type: "remove_model", model: model.id, revision: model.revision })}
        />
      ) : null}
    </span>
  );
};

export const ModelTable = ({ models, priceList, role }: Props) => {
  const reason = explainDenial(role, "model.manage");
  const scripted = models.filter((model) => model.scripted);
  const others = models.filter((model) => !model.scripted).toSorted((one, two) => Number(two.own) - Number(one.own));

  return (
    <Panel title="Models and prices">
      <DataTable
        label="Models and prices"
        columns={listColumns(priceList, reason)}
        rows={others}
        rowKey={({ id }) => id}
        renderActions={(model) => <Actions model={model} reason={reason} />}
      >
        <TableRow>
          <TableCell>
            <span className="font-medium">{count(scripted.length)} scripted models</span>
            <span className="block text-xs text-muted">Fixed behaviour: honest, sloppy, compromised or injected</span>
          </TableCell>
          <TableCell numeric>{rate(0)}</TableCell>
          <TableCell numeric>{rate(0)}</TableCell>
          <TableCell className="text-xs">Scripted</TableCell>
          <TableCell />
          <TableCell>
            <Mark kind="clean">Always</Mark>
          </TableCell>
          <TableCell />
        </TableRow>
      </DataTable>
      <p className="border-t px-3 py-2 text-xs text-muted">
        Prices are in USD per million tokens, at the highest tier. The price list is {priceList}, included in this version. Your own prices
        take precedence.
      </p>
    </Panel>
  );
};

"use client";

import { Button } from "@/components/ui/button";
import { Mark } from "@/components/ui/marks/mark";
import { Panel } from "@/components/ui/panel";
import { ActionsHeader, Table, TableBody, TableCell, TableHead, TableHeader, TableRow } from "@/components/ui/table";
import { ConfirmAction } from "@/components/ui/confirm-action";
import { Failure } from "@/components/ui/failure";
import { count } from "@/lib/format";
import { explainDenial, type Role } from "@/lib/roles";
import type { ModelView } from "@/server/trpc/routers/models/settings";
import { PriceDialog } from "./price-dialog";
import { useModelChange } from "./use-models";
import { priceDay, priceSource, rate } from "./labels";

type Props = { readonly models: readonly ModelView[]; readonly priceList: string; readonly role: Role };

const COLUMNS = ["Model", "Input", "Output", "Price source", "Price date", "Allowed"] as const;

const isAmount = (column: (typeof COLUMNS)[number]): boolean => column === "Input" || column === "Output";

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

const Row = ({ model, priceList, reason }: { readonly model: ModelView; readonly priceList: string; readonly reason: string | null }) => {
  const { sendAndWait } = useModelChange();
  const source = priceSource(model, priceList);

  return (
    <TableRow>
      <TableCell className="max-w-96">
        <span className="block truncate font-mono text-xs" title={model.id}>
          {model.id}
        </span>
        {model.own ? null : <span className="text-xs text-muted">Installation</span>}
      </TableCell>
      <TableCell numeric>{model.rates ? rate(model.rates.input_usd_per_million) : "–"}</TableCell>
      <TableCell numeric>{model.rates ? rate(model.rates.output_usd_per_million) : "–"}</TableCell>
      <TableCell className="max-w-72 text-xs">
        {source === null ? (
          <Mark kind="refused">No price: can&apos;t be called</Mark>
        ) : (
          <span className="block truncate" title={source}>
            {source}
          </span>
        )}
      </TableCell>
      <TableCell className="tabular text-xs whitespace-nowrap text-muted">{priceDay(model) ?? ""}</TableCell>
      <TableCell>
        <Allowed model={model} reason={reason} />
      </TableCell>
      <TableCell>
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
      </TableCell>
    </TableRow>
  );
};

export const ModelTable = ({ models, priceList, role }: Props) => {
  const reason = explainDenial(role, "model.manage");
  const scripted = models.filter((model) => model.scripted);
  const others = models.filter((model) => !model.scripted).toSorted((one, two) => Number(two.own) - Number(one.own));

  return (
    <Panel title="Models and prices">
      <Table aria-label="Models and prices">
        <TableHead>
          <TableRow>
            {COLUMNS.map((column) => (
              <TableHeader key={column} numeric={isAmount(column)} {...(isAmount(column) ? { title: "USD per million tokens" } : {})}>
                {column}
              </TableHeader>
            ))}
            <ActionsHeader />
          </TableRow>
        </TableHead>
        <TableBody>
          {others.map((model) => (
            <Row key={model.id} model={model} priceList={priceList} reason={reason} />
          ))}
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
        </TableBody>
      </Table>
      <p className="border-t px-3 py-2 text-xs text-muted">
        Prices are in USD per million tokens, at the highest tier. The price list is {priceList}, included in this version. Your own prices
        take precedence.
      </p>
    </Panel>
  );
};

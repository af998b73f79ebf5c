"use client";

import { useState } from "react";
import { SignatureNote } from "@/components/passkeys/signature-note";
import { Button } from "@/components/ui/button";
import { Checkbox } from "@/components/ui/checkbox";
import { DialogButton } from "@/components/ui/dialog-button";
import { DataTable, type Column } from "@/components/ui/list-table";
import { Select } from "@/components/ui/select";
import type { ToolLabels } from "@/lib/graph/document";
import type { Isolation } from "@/lib/mcp/isolation";
import { hasSameLabels } from "@/lib/mcp/label-proposal";
import { isLooser } from "@/lib/mcp/registry-command";
import { explainDenial, type Role } from "@/lib/roles";
import type { ServerView } from "@/server/trpc/routers/mcp/view";
import { CLASSES, EFFECTS, NOT_LABELLED } from "./label-options";
import { isSealed, toLabelRow, type LabelRow } from "./label-rows";
import { LOADING_PROGRAMS, useProgramOf } from "./use-programs";
import { useRegistry } from "./use-registry";

type Props = { readonly server: ServerView; readonly isolation: Isolation | null; readonly role: Role };

type Change = (name: string, change: Partial<ToolLabels>) => void;

const Reasons = ({ row: { name, isProposed, reasons } }: { readonly row: LabelRow }) => (
  <div className="flex min-w-0 flex-col gap-0.5 py-1">
    <span className="font-mono text-xs break-all">{name}</span>
    <span className="text-xs text-muted">{isProposed ? `Proposal. ${NOT_LABELLED}.` : "Labelled"}</span>
    {isProposed ? (
      <ul className="text-xs wrap-anywhere text-muted">
        {reasons.map(({ text, isClaim }) => (
          <li key={text}>
            {text}
            {isClaim ? " (claim)" : ""}
          </li>
        ))}
      </ul>
    ) : null}
  </div>
);

const columnsFor = (change: Change): readonly Column<LabelRow>[] => [
  { name: "Tool", className: "max-sm:basis-full", cell: (row) => <Reasons row={row} /> },
  {
    name: "Effect",
    cell: ({ name, labels }) => (
      <Select
        aria-label={`Effect of ${name}`}
        className="w-52"
        items={EFFECTS}
        value={labels.effect}
        onValueChange={(effect) => change(name, { effect })}
      />
    ),
  },
  {
    name: "Its output is at least",
    cell: ({ name, labels }) => (
      <Select
        aria-label={`Output of ${name}`}
        className="w-36"
        items={CLASSES}
        value={labels.output}
        onValueChange={(output) => change(name, { output })}
      />
    ),
  },
  {
    name: "It may receive",
    cell: ({ name, labels }) => (
      <Select
        aria-label={`Clearance of ${name}`}
        className="w-36"
        items={CLASSES}
        value={labels.clearance}
        onValueChange={(clearance) => change(name, { clearance })}
      />
    ),
  },
  {
    name: "Sharing and repeating",
    cell: ({ name, labels }) => (
      <div className="flex flex-col gap-1 py-1">
        <Checkbox checked={labels.outward} onCheckedChange={(outward) => change(name, { outward })}>
          Sends to a third party
        </Checkbox>
        <Checkbox checked={labels.idempotent} onCheckedChange={(idempotent) => change(name, { idempotent })}>
          Idempotent
        </Checkbox>
      </div>
    ),
  },
];

const Review = ({
  server,
  first,
  onDone,
}: {
  readonly server: ServerView;
  readonly first: readonly LabelRow[];
  readonly onDone: () => void;
}) => {
  const { send, pending } = useRegistry(server);
  const [rows, setRows] = useState(first);
  const change: Change = (name, labels) =>
    setRows(rows.map((row) => (row.name === name ? { ...row, labels: { ...row.labels, ...labels } } : row)));
  const changed = rows.filter(({ isProposed, labels, inForce }) => isProposed || !hasSameLabels(labels, inForce));
  const save = async () => {
    const labels = Object.fromEntries(changed.map((row) => [row.name, row.labels]));
    if (await send({ type: "set_labels", id: server.id, revision: server.revision, labels }, "Labels saved.")) onDone();
  };

  return (
    <div className="flex flex-col gap-3">
      <DataTable label="Labels of all tools" columns={columnsFor(change)} rows={rows} rowKey={({ name }) => name} />
      {changed.some(({ labels, inForce }) => isLooser(labels, inForce)) ? <SignatureNote to="set these labels" /> : null}
      <div className="sticky -bottom-3 -mx-4 -mb-3 flex flex-wrap justify-end gap-2 border-t bg-surface px-4 py-3">
        <Button onClick={onDone}>Cancel</Button>
        <Button
          variant="primary"
          disabledReason={changed.length === 0 ? "Nothing changed" : null}
          pending={pending ? "Saving…" : null}
          onClick={() => void save()}
        >
          {`Label ${changed.length} ${changed.length === 1 ? "tool" : "tools"}`}
        </Button>
      </div>
    </div>
  );
};

export const LabelTools = ({ server, isolation, role }: Props) => {
  const program = useProgramOf(server, role);
  const first = server.tools.flatMap((tool) => toLabelRow(tool, isSealed(server.transport, program, isolation)) ?? []);
  const proposed = first.filter(({ isProposed }) => isProposed).length;
  const reason =
    explainDenial(role, "mcp.manage") ??
    (server.status === "revoked" ? "The server is revoked" : null) ??
    (program === undefined ? LOADING_PROGRAMS : null);

  return (
    <DialogButton
      label={proposed === 0 ? "Review labels…" : `Label ${proposed} ${proposed === 1 ? "tool" : "tools"}…`}
      buttonSize="sm"
      variant={proposed === 0 ? "ghost" : "primary"}
      disabledReason={reason}
      size="wide"
      title={`Labels of ${server.name}`}
      description="Proposals come from names and schemas. Nothing applies until you save it. What the server claims only makes a proposal stricter."
    >
      {(close) => <Review server={server} first={first} onDone={close} />}
    </DialogButton>
  );
};

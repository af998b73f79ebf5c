"use client";

import { Plus, X } from "lucide-react";
import { Button } from "@/components/ui/button";
import { CheckboxGroup } from "@/components/ui/checkbox-group";
import { Input } from "@/components/ui/input";
import { Select } from "@/components/ui/select";
import { NO_ROLE, ROLE_ITEMS, type RuleRow } from "./mapping-draft";

type RowProps = {
  readonly row: RuleRow;
  readonly groups: readonly string[];
  readonly onChange: (row: RuleRow) => void;
  readonly onRemove: () => void;
};

const Row = ({ row, groups, onChange, onRemove }: RowProps) => {
  const name = row.group || "this row";

  return (
    <li className="flex flex-col gap-2 rounded-md border p-2">
      <div className="flex flex-wrap items-center gap-2">
        <Input
          aria-label="Provider group"
          autoComplete="off"
          spellCheck={false}
          placeholder="Group, as in the claim"
          className="w-auto min-w-24 flex-1"
          value={row.group}
          onChange={(event) => onChange({ ...row, group: event.target.value })}
        />
        <Select
          aria-label={`Role of ${name}`}
          items={ROLE_ITEMS}
          value={row.role ?? NO_ROLE}
          onValueChange={(role) => onChange({ ...row, role: role === NO_ROLE ? null : role })}
          className="w-28"
        />
        <Button size="sm" variant="ghost" aria-label={`Remove ${name}`} onClick={onRemove}>
          <X aria-hidden className="size-4" />
        </Button>
      </div>
      {groups.length === 0 ? null : (
        <CheckboxGroup
          legend={`Approver groups of ${name}`}
          choices={groups.map((value) => ({ value, label: value }))}
          value={row.approvers}
          onChange={(approvers) => onChange({ ...row, approvers })}
        />
      )}
    </li>
  );
};

type Props = {
  readonly rows: readonly RuleRow[];
  readonly groups: readonly string[];
  readonly onChange: (rows: readonly RuleRow[]) => void;
};

export const RuleRows = ({ rows, groups, onChange }: Props) => (
  <fieldset className="flex flex-col gap-2">
    <legend className="mb-1 text-sm font-medium">Groups</legend>
    <p className="text-xs text-muted">The first row that matches gives the role. Approver groups come from all rows that match.</p>
    {rows.length > 0 ? (
      <ul className="flex flex-col gap-2">
        {rows.map((row) => (
          <Row
            key={row.key}
            row={row}
            groups={groups}
            onChange={(next) => onChange(rows.map((each) => (each.key === row.key ? next : each)))}
            onRemove={() => onChange(rows.filter((each) => each.key !== row.key))}
          />
        ))}
      </ul>
    ) : null}
    <div>
      <Button size="sm" onClick={() => onChange([...rows, { key: crypto.randomUUID(), group: "", role: "viewer", approvers: [] }])}>
        <Plus aria-hidden className="size-3.5" />
        Add group
      </Button>
    </div>
  </fieldset>
);

import type { Json } from "@/lib/json";
import { splitParts, type Place } from "@/lib/leaves";
import { DiffRows } from "./diff-rows";
import type { Change, Proposed } from "@/components/schema-form/edit-draft";
import { toPlainRow, type Row } from "./view-model";

const rowsOf = (before: Json | undefined, after: Json | undefined, root: Place): readonly Row[] =>
  splitParts(before, after)
    .filter(({ op }) => op !== "same")
    .map((part, index) => toPlainRow(part, index, root));

const updateRows = (proposed: Extract<Proposed, { kind: "updates" }>, change: Extract<Change, { updates: unknown }>): readonly Row[] =>
  proposed.value.flatMap(({ path, value }) => {
    const after = change.updates.find((update) => update.path === path)?.value;

    return rowsOf(value, after, [path]);
  });

export const editRows = (proposed: Proposed, change: Change): readonly Row[] => {
  if (proposed.kind === "arguments" && "arguments" in change) return rowsOf(proposed.value, change.arguments, []);

  return proposed.kind === "updates" && "updates" in change ? updateRows(proposed, change) : [];
};

type Props = { readonly proposed: Proposed; readonly change: Change | null };

export const EditDiff = ({ proposed, change }: Props) => {
  if (change === null) return <p className="text-sm text-muted">Fix the marked fields.</p>;
  const rows = editRows(proposed, change);

  return rows.length === 0 ? <p className="text-sm text-muted">No changes yet.</p> : <DiffRows rows={rows} />;
};

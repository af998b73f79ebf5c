"use client";

import { Trash2 } from "lucide-react";
import { findExpressionFault } from "@/components/canvas/fields/expression-check";
import { TextField } from "@/components/canvas/fields/text-field";
import { useCanvas, useDocument, useEdit } from "@/components/canvas/state/canvas-context";
import { Checkbox } from "@/components/ui/checkbox";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/field";
import { Select } from "@/components/ui/select";
import type { GraphEdge } from "@/lib/graph/document";
import type { Problem } from "@/lib/graph/problems/problem";
import { EdgeList } from "./edge-list";
import { NodeProblems } from "./node-problems";

const KINDS = [
  { value: "normal", label: "Normal: when its condition is true" },
  { value: "default", label: "Default: when no other edge matches" },
  { value: "error", label: "Error: when the node fails after all attempts" },
  { value: "timeout", label: "Timeout: when the node times out" },
] as const;

type Props = { readonly edge: GraphEdge; readonly problems: readonly Problem[] };

export const EdgeForm = ({ edge, problems }: Props) => {
  const edit = useEdit();
  const select = useCanvas((state) => state.select);
  const isStrict = useDocument().strict_taint;
  const replace = (next: GraphEdge, field?: string) =>
    edit([{ op: "replace_edge", edge: next }], field === undefined ? undefined : `${edge.id} ${field}`);
  const { condition, ...plain } = edge;

  return (
    <div data-form={`edge:${edge.id}`} tabIndex={-1} className="flex flex-col gap-4">
      <h2 className="text-sm font-semibold">
        Edge{" "}
        <span className="font-mono text-xs font-normal text-muted">
          {edge.source} → {edge.target}
        </span>
      </h2>
      <NodeProblems problems={problems} />
      <Field label="Taken">
        <Select
          items={KINDS}
          value={edge.kind}
          onValueChange={(kind) => replace(kind === "normal" ? { ...edge, kind } : { ...plain, kind })}
        />
      </Field>
      {edge.kind === "normal" ? (
        <TextField
          label="Condition"
          hint="CEL over memory, goal and run. If empty, always true. An evaluation error takes the error edge."
          mono
          rows={3}
          placeholder='memory.change.plan == "team"'
          value={condition ?? ""}
          check={(text) => (text === "" ? null : findExpressionFault(text))}
          onCommit={(text) => replace(text === "" ? plain : { ...edge, condition: text }, "condition")}
        />
      ) : null}
      {edge.kind === "normal" && (isStrict || edge.hold) ? (
        <Checkbox
          checked={edge.hold === true}
          onCheckedChange={(hold) => {
            const { hold: _before, ...rest } = edge;
            replace(hold ? { ...rest, hold: true } : rest);
          }}
        >
          Hold for a person when the condition depends on untrusted data
        </Checkbox>
      ) : null}
      <EdgeList source={edge.source} />
      <div className="border-t pt-3">
        <Button
          size="sm"
          variant="danger"
          onClick={() => {
            edit([{ op: "remove_edge", edge: edge.id }]);
            select({ edges: [] });
          }}
        >
          <Trash2 aria-hidden /> Delete
        </Button>
      </div>
    </div>
  );
};

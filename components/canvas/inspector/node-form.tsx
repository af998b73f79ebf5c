"use client";

import { Trash2 } from "lucide-react";
import { useQueryStates } from "nuqs";
import { BlastRadiusSection } from "@/components/canvas/analysis/blast-radius";
import { GrantFields } from "@/components/canvas/fields/grant-fields";
import { TextField } from "@/components/canvas/fields/text-field";
import { KIND_UIS } from "@/components/canvas/kinds/kind-uis";
import type { FormProps, KindUi } from "@/components/canvas/kinds/kind-ui";
import { SchemaForm } from "@/components/canvas/schema-form/schema-form";
import { requestRemoval } from "@/components/canvas/commands/editing";
import { useCanvas, useCanvasStore, useDocument } from "@/components/canvas/state/canvas-context";
import { canvasParams } from "@/components/canvas/state/use-canvas-url";
import { Button } from "@/components/ui/button";
import { Checkbox } from "@/components/ui/checkbox";
import { Field } from "@/components/ui/field";
import { Select } from "@/components/ui/select";
import { effectClassSchema, nodeSchema, type GraphNode, type NodeOf } from "@/lib/graph/document";
import { callsTool, isIdle, opensCase } from "@/lib/graph/kind-of";
import { NODE_KINDS, type NodeKind } from "@/lib/graph/kinds";
import { listCallingAgentIds } from "@/lib/graph/facts/acting";
import type { Problem } from "@/lib/graph/problems/problem";
import { listAgentIds } from "@/lib/graph/refs";
import { idSchema } from "@/lib/ids";
import { ActionFields } from "./action-fields";
import { ApproverFields } from "./approver-fields";
import { EdgeList } from "./edge-list";
import { FailureFields } from "./failure-fields";
import { BudgetFields, UndoFields } from "./limit-fields";
import { NodeProblems } from "./node-problems";

const EFFECTS = effectClassSchema.options.map((effect) => ({ value: effect, label: effect }));

const APPROVALS = [
  { value: "by_rule", label: "When policy requires it" },
  { value: "always", label: "For every change" },
  { value: "every_call", label: "For every call, reads too" },
] as const;

type KindFormProps<K extends NodeKind> = {
  readonly kind: K;
  readonly node: NodeOf<K>;
  readonly change: (node: GraphNode, field?: string) => void;
};

const KindForm = <K extends NodeKind>({ kind, node, change }: KindFormProps<K>) => {
  const graph = useDocument();
  const catalog = useCanvas((state) => state.catalog);
  const uis: { readonly [Kind in NodeKind]: KindUi<Kind> } = KIND_UIS;
  const { Form, intro, parts }: KindUi<K> = uis[kind];
  const props: FormProps<K> = { node, graph, catalog, change };
  if (Form) return <Form {...props} />;

  return (
    <>
      {intro === undefined ? null : <p className="text-xs text-muted">{intro}</p>}
      <SchemaForm
        schema={NODE_KINDS[kind].config}
        values={node.config}
        place={{ graph, catalog, nodeId: node.id }}
        renderPart={(name) => parts?.[name as keyof typeof parts]?.(props)}
        onChange={(config, field) => {
          const next = nodeSchema.safeParse({ ...node, config });
          if (next.success) change(next.data, field);
        }}
      />
    </>
  );
};

const Places = ({ node }: { readonly node: GraphNode }) => {
  const graph = useDocument();
  const edit = useCanvas((state) => state.edit);
  const isStart = graph.start_node === node.id;
  const isEnd = graph.end_nodes.includes(node.id);
  const ends = isEnd ? graph.end_nodes.filter((id) => id !== node.id) : [...graph.end_nodes, node.id];

  return (
    <div className="flex flex-col gap-1.5">
      <Checkbox checked={isStart} disabled={isStart} onCheckedChange={() => edit([{ op: "settings", settings: { start_node: node.id } }])}>
        The run starts here
      </Checkbox>
      <Checkbox checked={isEnd} onCheckedChange={() => edit([{ op: "settings", settings: { end_nodes: ends } }])}>
        The run may end here
      </Checkbox>
    </div>
  );
};

const spends = (node: GraphNode): boolean => listAgentIds(node).length > 0 || node.budget !== undefined;

const mayAct = (node: GraphNode): boolean => callsTool(node) || listCallingAgentIds(node).length > 0 || node.compensation !== undefined;

type Props = { readonly node: GraphNode; readonly problems: readonly Problem[] };

export const NodeForm = ({ node, problems }: Props) => {
  const edit = useCanvas((state) => state.edit);
  const select = useCanvas((state) => state.select);
  const ids = useDocument().nodes.map((other) => other.id);
  const graph = useDocument();
  const change = (next: GraphNode, field?: string) =>
    edit([{ op: "replace_node", node: next }], field === undefined ? undefined : `${node.id} ${field}`);
  const rename = (to: string) => {
    edit([{ op: "rename_node", node: node.id, to }]);
    select({ nodes: [to] });
  };
  const store = useCanvasStore();
  const [, setPlace] = useQueryStates(canvasParams);

  return (
    <div data-form={`node:${node.id}`} tabIndex={-1} className="flex flex-col gap-4">
      <h2 className="text-sm font-semibold">
        {NODE_KINDS[node.kind].title} <span className="font-normal text-muted">{NODE_KINDS[node.kind].about}</span>
      </h2>
      <NodeProblems problems={problems} />
      <TextField
        label="Title"
        value={node.title}
        check={(text) => (text.length > 120 ? "At most 120 characters." : null)}
        onCommit={(title) => change({ ...node, title }, "title")}
      />
      <TextField
        label="Id"
        mono
        value={node.id}
        check={(text) => {
          if (text !== node.id && ids.includes(text)) return "Another node has this id.";

          return idSchema.safeParse(text).success ? null : "A letter, then letters, digits, - or _.";
        }}
        commitOn="leave"
        onCommit={rename}
      />
      <KindForm kind={node.kind} node={node} change={change} />
      <GrantFields node={node} graph={graph} change={change} />
      <Field label="Effect" hint="For tools and agents, the tools' own effect applies if it is more severe.">
        <Select items={EFFECTS} value={node.effect} onValueChange={(effect) => change({ ...node, effect })} />
      </Field>
      {isIdle(node) || opensCase(node) ? null : (
        <Field label="Require approval">
          <Select items={APPROVALS} value={node.approval} onValueChange={(approval) => change({ ...node, approval })} />
        </Field>
      )}
      <ApproverFields node={node} change={change} />
      {graph.external ? <ActionFields node={node} change={change} /> : null}
      <Places node={node} />
      <EdgeList source={node.id} />
      <FailureFields node={node} change={change} />
      {spends(node) ? <BudgetFields node={node} change={change} /> : null}
      {mayAct(node) ? <UndoFields node={node} change={change} /> : null}
      <BlastRadiusSection node={node.id} />
      <div className="flex gap-2 border-t pt-3">
        <Button size="sm" variant="danger" onClick={() => requestRemoval(store, setPlace, null)}>
          <Trash2 aria-hidden /> Delete
        </Button>
        <Button size="sm" onClick={() => requestRemoval(store, setPlace, true)}>
          Delete and reconnect
        </Button>
      </div>
    </div>
  );
};

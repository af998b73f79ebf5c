"use client";

import { Stamp } from "lucide-react";
import { declaredPaths } from "@/components/canvas/fields/declared-paths";
import { NumberField } from "@/components/canvas/fields/number-field";
import { notAPath } from "@/components/canvas/fields/path-check";
import { PathList } from "@/components/canvas/fields/path-list";
import { TextField } from "@/components/canvas/fields/text-field";
import { Field } from "@/components/ui/field";
import { Select } from "@/components/ui/select";
import type { Graph } from "@/lib/graph/document";
import { deciderSchema } from "@/lib/roles";
import type { FormProps, KindUi } from "./kind-ui";

const HOUR_MS = 3_600_000;
const MAX_HOURS = 720;
/** No id begins like this; an empty value would show the placeholder instead of its label. */
const NONE = "-";

const ROLES = deciderSchema.options.map((role) => ({ value: role, label: role }));

const nodesBut = (graph: Graph, id: string, none: string) => [
  { value: NONE, label: none },
  ...graph.nodes.filter((node) => node.id !== id).map((node) => ({ value: node.id, label: node.title === "" ? node.id : node.title })),
];

const Form = ({ node, graph, change }: FormProps<"approval">) => {
  const { config } = node;
  const { for_node: forNode, rejection_node: rejectionNode } = config;

  return (
    <>
      <TextField
        label="Question to the reviewer"
        rows={3}
        value={config.prompt}
        check={(text) => (text === "" || text.length > 2_000 ? "1 to 2,000 characters." : null)}
        onCommit={(prompt) => change({ ...node, config: { ...config, prompt } }, "prompt")}
      />
      <Field label="Approves the effect of" hint="Its exact arguments become part of what is approved.">
        <Select
          items={nodesBut(graph, node.id, "No node in particular")}
          value={forNode ?? NONE}
          onValueChange={(id) => {
            const { for_node: _before, ...rest } = config;
            change({ ...node, config: id === NONE ? rest : { ...rest, for_node: id } });
          }}
        />
      </Field>
      <PathList
        label="Shown to the reviewer"
        paths={config.review_keys}
        suggestions={declaredPaths(graph)}
        check={notAPath}
        onChange={(paths) => change({ ...node, config: { ...config, review_keys: [...paths] } })}
      />
      <Field label="Who decides">
        <Select items={ROLES} value={config.role} onValueChange={(role) => change({ ...node, config: { ...config, role } })} />
      </Field>
      <NumberField
        label="How many people"
        value={config.quorum}
        min={1}
        max={10}
        onCommit={(quorum) => change({ ...node, config: { ...config, quorum: quorum ?? 1 } }, "quorum")}
      />
      <NumberField
        label="Hours until it counts as a rejection"
        value={config.timeout_ms / HOUR_MS}
        integer={false}
        min={0.01}
        max={MAX_HOURS}
        onCommit={(hours) => change({ ...node, config: { ...config, timeout_ms: Math.round((hours ?? 24) * HOUR_MS) } }, "timeout")}
      />
      <Field label="A rejection leads to">
        <Select
          items={nodesBut(graph, node.id, "The end of the run (cancelled)")}
          value={rejectionNode ?? NONE}
          onValueChange={(id) => {
            const { rejection_node: _before, ...rest } = config;
            change({ ...node, config: id === NONE ? rest : { ...rest, rejection_node: id } });
          }}
        />
      </Field>
    </>
  );
};

export const approvalUi: KindUi<"approval"> = {
  icon: Stamp,
  summary: ({ config }) => `${config.quorum} ${config.role}${config.for_node === undefined ? "" : ` for ${config.for_node}`}`,
  Form,
  initial: () => ({ config: { prompt: "Shall the run go on?", review_keys: [], role: "reviewer", quorum: 1, timeout_ms: 24 * HOUR_MS } }),
};

"use client";

import { Stamp } from "lucide-react";
import { listDeclaredPaths } from "@/components/canvas/fields/declared-paths";
import { NameList } from "@/components/canvas/fields/name-list";
import { NodeSelect } from "@/components/canvas/fields/node-select";
import { NumberField } from "@/components/canvas/fields/number-field";
import { PairList } from "@/components/canvas/fields/pair-list";
import { findPathFault } from "@/components/canvas/fields/path-check";
import { TextField } from "@/components/canvas/fields/text-field";
import { dropUndefined } from "@/components/canvas/fields/without-undefined";
import { Checkbox } from "@/components/ui/checkbox";
import { Field } from "@/components/ui/field";
import { Select } from "@/components/ui/select";
import { deciderSchema } from "@/lib/roles";
import type { FormProps, KindUi } from "./kind-ui";

const HOUR_MS = 3_600_000;
const MAX_HOURS = 720;

const ROLES = deciderSchema.options.map((role) => ({ value: role, label: role }));

const Form = ({ node, graph, change }: FormProps<"approval">) => {
  const { config } = node;
  const suggestions = listDeclaredPaths(graph);
  const set = (changed: Partial<typeof config>, field?: string) =>
    change({ ...node, config: dropUndefined({ ...config, ...changed }) }, field);

  return (
    <>
      <TextField
        label="Question for the reviewer"
        rows={3}
        value={config.prompt}
        check={(text) => (text === "" || text.length > 2_000 ? "1 to 2,000 characters." : null)}
        onCommit={(prompt) => set({ prompt }, "prompt")}
      />
      <NodeSelect
        label="Approves the effect of"
        hint="The approval covers its exact arguments."
        none="No specific node"
        graph={graph}
        of={node.id}
        value={config.for_node}
        onChange={(id) => set({ for_node: id })}
      />
      <NameList
        label="Shown to the reviewer"
        names={config.review_keys}
        suggestions={suggestions}
        check={findPathFault}
        onChange={(names) => set({ review_keys: [...names] })}
      />
      <Field label="Who decides">
        <Select items={ROLES} value={config.role} onValueChange={(role) => set({ role })} />
      </Field>
      <NumberField label="Required approvals" value={config.quorum} min={1} max={10} onCommit={(quorum) => set({ quorum }, "quorum")} />
      <Checkbox checked={config.passkey === true} onCheckedChange={(isSigned) => set({ passkey: isSigned || undefined })}>
        Require a passkey
      </Checkbox>
      <NumberField
        label="Auto-reject after (hours)"
        value={config.timeout_ms / HOUR_MS}
        integer={false}
        min={0.01}
        max={MAX_HOURS}
        onCommit={(hours) => set({ timeout_ms: Math.round(hours * HOUR_MS) }, "timeout")}
      />
      <NodeSelect
        label="On rejection, go to"
        none="End the run (cancelled)"
        graph={graph}
        of={node.id}
        value={config.rejection_node}
        onChange={(id) => set({ rejection_node: id })}
      />
      <NodeSelect
        label="On request for changes, go to"
        hint="That node receives the reviewer's note."
        none="Not available"
        graph={graph}
        of={node.id}
        value={config.changes_node}
        onChange={(id) => set({ changes_node: id })}
      />
      <PairList
        title="Promote to reviewed"
        hint="On approval, each value is copied exactly as the reviewer saw it and labelled reviewed."
        left={{ label: "Shown value", suggestions }}
        right={{ label: "Reviewed as", suggestions }}
        pairs={config.promote.map(({ from, to }) => [from, to] as const)}
        onChange={(pairs, field) => set({ promote: pairs.map(([from, to]) => ({ from, to })) }, field)}
      />
    </>
  );
};

export const approvalUi: KindUi<"approval"> = {
  icon: Stamp,
  group: "decide",
  summary: ({ config }) => `${config.quorum} ${config.role}${config.for_node === undefined ? "" : ` for ${config.for_node}`}`,
  Form,
  initial: () => ({
    config: { prompt: "Continue the run?", review_keys: [], role: "reviewer", quorum: 1, timeout_ms: 24 * HOUR_MS, promote: [] },
  }),
};

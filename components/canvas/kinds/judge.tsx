"use client";

import { Gavel } from "lucide-react";
import { listDeclaredPaths } from "@/components/canvas/fields/declared-paths";
import { NodeSelect } from "@/components/canvas/fields/node-select";
import { PathField } from "@/components/canvas/fields/path-field";
import { dropUndefined } from "@/components/canvas/fields/without-undefined";
import { opensCase } from "@/lib/graph/kind-of";
import { getFieldsAt } from "@/lib/graph/problems/rules";
import type { FormProps, KindUi } from "./kind-ui";
import { JudgeRules } from "./judge-rules";

const Form = ({ node, graph, change }: FormProps<"judge">) => {
  const { config } = node;
  const set = (changed: Partial<typeof config>, field?: string) =>
    change({ ...node, config: dropUndefined({ ...config, ...changed }) }, field);

  return (
    <>
      <p className="text-xs text-muted">No model is involved: it counts verdicts and checks each field against its rule.</p>
      <NodeSelect
        label="Verdicts from"
        graph={graph}
        of={node.id}
        accepts={opensCase}
        value={config.review}
        onChange={(id) => {
          if (id !== undefined) set({ review: id });
        }}
      />
      <PathField label="Form to judge" graph={graph} value={config.from} onCommit={(from) => set({ from }, "from")} />
      <PathField
        label="Write reviewed copy to"
        hint="The form itself is not changed."
        graph={graph}
        value={config.to}
        onCommit={(to) => set({ to }, "to")}
      />
      <JudgeRules
        from={config.from}
        fields={getFieldsAt(graph, config.from)}
        rules={config.rules}
        onChange={(rules, field) => set({ rules }, field)}
      />
      <NodeSelect
        label="On rejection, go to"
        none="Fail the node (judge_rejected)"
        graph={graph}
        of={node.id}
        value={config.rejection_node}
        onChange={(id) => set({ rejection_node: id })}
      />
    </>
  );
};

export const judgeUi: KindUi<"judge"> = {
  icon: Gavel,
  group: "zone",
  summary: ({ config }) => `${config.from} → ${config.to}, ${config.rules.length} ${config.rules.length === 1 ? "rule" : "rules"}`,
  Form,
  initial: (graph) => {
    const review = graph.nodes.find((node) => opensCase(node));
    const [first = "extract", second = "reviewed"] = listDeclaredPaths(graph);
    const from = review?.config.target ?? first;

    return {
      config: { review: review?.id ?? "review", from, to: from === second ? "reviewed" : second, rules: [] },
    };
  },
};

"use client";

import { Gavel } from "lucide-react";
import { listDeclaredPaths } from "@/components/canvas/fields/declared-paths";
import { opensCase } from "@/lib/graph/kind-of";
import { getFieldsAt } from "@/lib/graph/problems/rules";
import type { KindUi } from "./kind-ui";
import { JudgeRules } from "./judge-rules";

export const judgeUi: KindUi<"judge"> = {
  icon: Gavel,
  group: "zone",
  summary: ({ config }) => `${config.from} → ${config.to}, ${config.rules.length} ${config.rules.length === 1 ? "rule" : "rules"}`,
  intro: "No model is involved: it counts verdicts and checks each field against its rule.",
  parts: {
    rules: ({ node, graph, change }) => (
      <JudgeRules
        from={node.config.from}
        fields={getFieldsAt(graph, node.config.from)}
        rules={node.config.rules}
        onChange={(rules, field) => change({ ...node, config: { ...node.config, rules } }, field)}
      />
    ),
  },
  initial: (graph) => {
    const review = graph.nodes.find((node) => opensCase(node));
    const [first = "extract", second = "reviewed"] = listDeclaredPaths(graph);
    const from = review?.config.target ?? first;

    return { config: { from, to: from === second ? "reviewed" : second } };
  },
};

"use client";

import { Gavel } from "lucide-react";
import { declaredPaths } from "@/components/canvas/fields/declared-paths";
import { PathField } from "@/components/canvas/fields/path-field";
import type { FormProps, KindUi } from "./kind-ui";

const Form = ({ node, graph, change }: FormProps<"judge">) => {
  const { config } = node;
  const set = (changed: Partial<typeof config>, field?: string) => change({ ...node, config: { ...config, ...changed } }, field);

  return (
    <>
      <PathField label="Extract" graph={graph} value={config.from} onCommit={(from) => set({ from }, "from")} />
      <PathField label="Reviewed copy goes to" graph={graph} value={config.to} onCommit={(to) => set({ to }, "to")} />
    </>
  );
};

export const judgeUi: KindUi<"judge"> = {
  icon: Gavel,
  group: "decide",
  summary: ({ config }) => `${config.from} to ${config.to} by ${config.rules.length} rules`,
  Form,
  initial: (graph) => ({
    config: {
      review: graph.nodes.find((node) => node.kind === "review")?.id ?? "review",
      from: declaredPaths(graph)[0] ?? "extract",
      to: declaredPaths(graph)[1] ?? "reviewed",
      rules: [],
    },
  }),
};

"use client";

import { Users } from "lucide-react";
import { declaredPaths } from "@/components/canvas/fields/declared-paths";
import { Instructions } from "@/components/canvas/fields/instructions";
import { NumberField } from "@/components/canvas/fields/number-field";
import { PathField } from "@/components/canvas/fields/path-field";
import { FINDINGS } from "@/lib/graph/nodes/review";
import type { FormProps, KindUi } from "./kind-ui";

const DAY_MS = 86_400_000;

const Form = ({ node, graph, change }: FormProps<"review">) => {
  const { config } = node;
  const set = (changed: Partial<typeof config>, field?: string) => change({ ...node, config: { ...config, ...changed } }, field);

  return (
    <>
      <PathField label="Target" graph={graph} value={config.target} onCommit={(target) => set({ target }, "target")} />
      <Instructions value={config.instructions} onCommit={(instructions) => set({ instructions }, "instructions")} />
      <NumberField
        label="Approvals that are needed"
        value={config.quorum}
        min={1}
        max={20}
        onCommit={(quorum) => set({ quorum }, "quorum")}
      />
    </>
  );
};

export const reviewUi: KindUi<"review"> = {
  icon: Users,
  group: "decide",
  summary: ({ config }) => `${config.target}: ${config.quorum} of ${config.reviewers.length} approve`,
  Form,
  initial: (graph) => ({
    config: {
      target: declaredPaths(graph)[0] ?? "extract",
      instructions: "",
      reviewers: [{ type: "person", role: "reviewer", count: 1 }],
      quorum: 1,
      findings: [...FINDINGS],
      timeout_ms: DAY_MS,
    },
  }),
};

"use client";

import { Network } from "lucide-react";
import { AgentField, getFirstAgent } from "@/components/canvas/fields/agent-select";
import { Instructions } from "@/components/canvas/fields/instructions";
import { listLooseNodes, NodeList } from "@/components/canvas/fields/node-select";
import { NumberField } from "@/components/canvas/fields/number-field";
import type { FormProps, KindUi } from "./kind-ui";

const Form = ({ node, graph, catalog, change }: FormProps<"supervisor">) => {
  const { config } = node;
  const set = (changed: Partial<typeof config>, field?: string) => change({ ...node, config: { ...config, ...changed } }, field);

  return (
    <>
      <AgentField label="Choosing agent" catalog={catalog} value={config.agent_id} onChange={(id) => set({ agent_id: id })} />
      <NodeList
        label="Managed nodes"
        hint="The agent chooses which one runs next. When it says the work is done, the edges decide."
        graph={graph}
        of={node.id}
        nodes={config.managed_nodes}
        onChange={(nodes) => set({ managed_nodes: nodes })}
        lastStays="A supervisor needs at least one node."
      />
      <Instructions value={config.instructions} onCommit={(instructions) => set({ instructions }, "instructions")} />
      <NumberField
        label="Max choices per run"
        hint="Reaching the limit fails the node with supervisor_limit."
        value={config.max_iterations}
        min={1}
        max={1_000}
        onCommit={(iterations) => set({ max_iterations: iterations }, "max_iterations")}
      />
    </>
  );
};

export const supervisorUi: KindUi<"supervisor"> = {
  icon: Network,
  group: "decide",
  summary: ({ config }) => `Chooses from ${config.managed_nodes.join(", ")}`,
  Form,
  initial: (graph, catalog) => ({
    config: {
      agent_id: getFirstAgent(catalog),
      instructions: "",
      managed_nodes: [listLooseNodes(graph)[0]?.id ?? "unassigned"],
      max_iterations: 10,
    },
  }),
};

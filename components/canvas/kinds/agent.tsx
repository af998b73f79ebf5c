"use client";

import { Bot } from "lucide-react";
import { AgentField, getFirstAgent } from "@/components/canvas/fields/agent-select";
import { ANSWERS } from "@/components/canvas/fields/answers";
import { Instructions } from "@/components/canvas/fields/instructions";
import { WriteTo } from "@/components/canvas/fields/path-field";
import { dropUndefined } from "@/components/canvas/fields/without-undefined";
import { Field } from "@/components/ui/field";
import { Select } from "@/components/ui/select";
import { AnnealingSection, RecallSection, SwarmSection } from "./agent-options";
import type { FormProps, KindUi } from "./kind-ui";

const Form = ({ node, graph, catalog, change }: FormProps<"agent">) => {
  const { config } = node;
  const set = (changed: Partial<typeof config>, field?: string) =>
    change({ ...node, config: dropUndefined({ ...config, ...changed }) }, field);
  const options = { node, graph, catalog, set };

  return (
    <>
      <AgentField label="Agent" catalog={catalog} value={config.agent_id} onChange={(id) => set({ agent_id: id })} />
      <Instructions rows={6} value={config.instructions} onCommit={(instructions) => set({ instructions }, "instructions")} />
      <Field label="Answer">
        <Select items={ANSWERS} value={config.answer} onValueChange={(answer) => set({ answer })} />
      </Field>
      <WriteTo label="Write answer to" graph={graph} value={config.write_to} onCommit={(path) => set({ write_to: path }, "write_to")} />
      <AnnealingSection {...options} />
      <SwarmSection {...options} />
      <RecallSection {...options} />
    </>
  );
};

export const agentUi: KindUi<"agent"> = {
  icon: Bot,
  group: "work",
  summary: (node, catalog) => catalog.agents.find((agent) => agent.id === node.config.agent_id)?.name ?? "No agent chosen",
  Form,
  initial: (_graph, catalog) => ({ config: { agent_id: getFirstAgent(catalog), instructions: "", answer: "text" } }),
};

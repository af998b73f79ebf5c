"use client";

import { Bot } from "lucide-react";
import { useId } from "react";
import { AgentDialog } from "@/components/agents/agent-dialog";
import { notAnOptionalPath } from "@/components/canvas/fields/path-check";
import { PathOptions } from "@/components/canvas/fields/path-options";
import { TextField } from "@/components/canvas/fields/text-field";
import { Field } from "@/components/ui/field";
import { Select } from "@/components/ui/select";
import type { FormProps, KindUi } from "./kind-ui";

const ANSWERS = [
  { value: "text", label: "Text" },
  { value: "json", label: "JSON" },
] as const;

const Form = ({ node, graph, catalog, change }: FormProps<"agent">) => {
  const listId = useId();
  const { config } = node;
  const known = catalog.agents.map((agent) => ({ value: agent.id, label: agent.name }));
  const agents = known.some((item) => item.value === config.agent_id)
    ? known
    : [{ value: config.agent_id, label: `${config.agent_id} (not there)` }, ...known];
  const agent = catalog.agents.find((item) => item.id === config.agent_id);

  return (
    <>
      <Field label="Agent" hint={agent ? `Tools: ${agent.tools.length}. Model calls: at most ${agent.max_steps}` : undefined}>
        <Select items={agents} value={config.agent_id} onValueChange={(id) => change({ ...node, config: { ...config, agent_id: id } })} />
      </Field>
      <div className="flex gap-2">
        {agent ? <AgentDialog agentId={agent.id} tools={catalog.tools} label="Edit the agent" onSaved={() => undefined} /> : null}
        <AgentDialog
          agentId={null}
          tools={catalog.tools}
          label="New agent"
          onSaved={(id) => change({ ...node, config: { ...config, agent_id: id } })}
        />
      </div>
      <TextField
        label="Instructions"
        rows={6}
        value={config.instructions}
        check={(text) => (text.length > 20_000 ? "At most 20,000 characters." : null)}
        onCommit={(instructions) => change({ ...node, config: { ...config, instructions } }, "instructions")}
      />
      <Field label="Answer">
        <Select items={ANSWERS} value={config.answer} onValueChange={(answer) => change({ ...node, config: { ...config, answer } })} />
      </Field>
      <TextField
        label="Answer goes to"
        hint="Empty: the only key it may write."
        mono
        list={listId}
        value={config.write_to ?? ""}
        check={notAnOptionalPath}
        onCommit={(path) => {
          const { write_to: _before, ...rest } = config;
          change({ ...node, config: path === "" ? rest : { ...rest, write_to: path } }, "write_to");
        }}
      />
      <PathOptions id={listId} graph={graph} />
    </>
  );
};

export const agentUi: KindUi<"agent"> = {
  icon: Bot,
  summary: (node, catalog) => catalog.agents.find((agent) => agent.id === node.config.agent_id)?.name ?? "No agent chosen",
  Form,
  initial: (_graph, catalog) => ({ config: { agent_id: catalog.agents[0]?.id ?? "unassigned", instructions: "", answer: "text" } }),
};

"use client";

import { TextQuote } from "lucide-react";
import { AgentField, getFirstAgent } from "@/components/canvas/fields/agent-select";
import { listDeclaredPaths } from "@/components/canvas/fields/declared-paths";
import { Instructions } from "@/components/canvas/fields/instructions";
import { PathField, WriteTo } from "@/components/canvas/fields/path-field";
import { dropUndefined } from "@/components/canvas/fields/without-undefined";
import { ExtractFields } from "./extract-fields";
import type { FormProps, KindUi } from "./kind-ui";

const Form = ({ node, graph, catalog, change }: FormProps<"extract">) => {
  const { config } = node;
  const set = (changed: Partial<typeof config>, field?: string) =>
    change({ ...node, config: dropUndefined({ ...config, ...changed }) }, field);

  return (
    <>
      <p className="text-xs text-muted">
        Its model is quarantined: it sees only this value, calls no tools, and can only fill in the form.
      </p>
      <AgentField label="Agent" catalog={catalog} value={config.agent_id} onChange={(id) => set({ agent_id: id })} />
      <PathField label="Extract from" graph={graph} value={config.from} onCommit={(from) => set({ from }, "from")} />
      <ExtractFields fields={config.fields} onChange={(fields, field) => set({ fields }, field)} />
      <Instructions value={config.instructions} onCommit={(instructions) => set({ instructions }, "instructions")} />
      <WriteTo label="Write form to" graph={graph} value={config.write_to} onCommit={(path) => set({ write_to: path }, "write_to")} />
    </>
  );
};

export const extractUi: KindUi<"extract"> = {
  icon: TextQuote,
  group: "zone",
  summary: ({ config }) =>
    config.fields.length === 0
      ? `Nothing yet from ${config.from}`
      : `${config.fields.map((field) => field.name).join(", ")} from ${config.from}`,
  Form,
  initial: (graph, catalog) => ({
    config: {
      agent_id: getFirstAgent(catalog),
      from: listDeclaredPaths(graph)[0] ?? "text",
      fields: [{ name: "title", description: "", required: true, value: { type: "text", max_length: 200 } }],
      instructions: "",
    },
  }),
};

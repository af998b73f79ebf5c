"use client";

import { Merge } from "lucide-react";
import { OptionalAgentSelect } from "@/components/canvas/fields/agent-select";
import { ANSWERS } from "@/components/canvas/fields/answers";
import { Instructions } from "@/components/canvas/fields/instructions";
import { WriteTo } from "@/components/canvas/fields/path-field";
import { dropUndefined } from "@/components/canvas/fields/without-undefined";
import { Field } from "@/components/ui/field";
import { Select } from "@/components/ui/select";
import type { FormProps, KindUi } from "./kind-ui";

const MERGES = [
  { value: "object", label: "Object with one member per value" },
  { value: "list", label: "List in reading order" },
  { value: "text", label: "Text with one paragraph per value" },
] as const;

const Form = ({ node, graph, catalog, change }: FormProps<"synthesizer">) => {
  const { config } = node;
  const set = (changed: Partial<typeof config>, field?: string) =>
    change({ ...node, config: dropUndefined({ ...config, ...changed }) }, field);

  return (
    <>
      <OptionalAgentSelect
        label="Combined by"
        none="A fixed rule, without a model"
        catalog={catalog}
        value={config.agent_id}
        onChange={(id) => set({ agent_id: id })}
      />
      {config.agent_id === undefined ? (
        <Field label="Rule" hint="Combines everything under “May read” below.">
          <Select items={MERGES} value={config.merge} onValueChange={(merge) => set({ merge })} />
        </Field>
      ) : (
        <>
          <Instructions value={config.instructions} onCommit={(instructions) => set({ instructions }, "instructions")} />
          <Field label="Answer">
            <Select items={ANSWERS} value={config.answer} onValueChange={(answer) => set({ answer })} />
          </Field>
        </>
      )}
      <WriteTo graph={graph} value={config.write_to} onCommit={(path) => set({ write_to: path }, "write_to")} />
    </>
  );
};

export const synthesizerUi: KindUi<"synthesizer"> = {
  icon: Merge,
  group: "combine",
  summary: ({ config, read_keys: reads }) =>
    `${config.agent_id ?? config.merge} of ${reads.length === 0 ? "nothing yet" : reads.join(", ")}`,
  Form,
  initial: () => ({ config: { instructions: "", answer: "text", merge: "object" } }),
};

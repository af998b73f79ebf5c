"use client";

import { Lightbulb } from "lucide-react";
import { AgentSelect, getFirstAgent } from "@/components/canvas/fields/agent-select";
import { Disclosure } from "@/components/canvas/fields/disclosure";
import { Instructions } from "@/components/canvas/fields/instructions";
import { NumberField } from "@/components/canvas/fields/number-field";
import { OptionalPathField } from "@/components/canvas/fields/path-field";
import { findTopicFault } from "@/components/canvas/fields/topics";
import { TextField } from "@/components/canvas/fields/text-field";
import { dropUndefined } from "@/components/canvas/fields/without-undefined";
import { Field } from "@/components/ui/field";
import { Select } from "@/components/ui/select";
import type { FormProps, KindUi } from "./kind-ui";

const EXTRACTORS = [
  { value: "rules", label: "Every sentence that is long enough" },
  { value: "agent", label: "What an agent considers worth keeping" },
] as const;

const SENTENCE_LENGTH = 15;

const Form = ({ node, graph, catalog, change }: FormProps<"reflection">) => {
  const { config } = node;
  const { extractor } = config;
  const set = (changed: Partial<typeof config>, field?: string) =>
    change({ ...node, config: dropUndefined({ ...config, ...changed }) }, field);

  return (
    <>
      <TextField
        label="Topic"
        hint="Later runs recall facts by topic, with their current labels."
        mono
        value={config.topic}
        check={findTopicFault}
        onCommit={(topic) => set({ topic }, "topic")}
      />
      <Field label="Facts">
        <Select
          items={EXTRACTORS}
          value={extractor.type}
          onValueChange={(type) =>
            set({
              extractor:
                type === "rules"
                  ? { type, min_sentence_length: SENTENCE_LENGTH }
                  : { type, agent_id: getFirstAgent(catalog), instructions: "" },
            })
          }
        />
      </Field>
      {extractor.type === "agent" ? (
        <>
          <AgentSelect
            label="Agent"
            catalog={catalog}
            value={extractor.agent_id}
            onChange={(id) => set({ extractor: { ...extractor, agent_id: id } })}
          />
          <Instructions
            value={extractor.instructions}
            onCommit={(instructions) => set({ extractor: { ...extractor, instructions } }, "instructions")}
          />
        </>
      ) : (
        <NumberField
          label="Min characters"
          value={extractor.min_sentence_length}
          min={1}
          max={1_000}
          onCommit={(length) => set({ extractor: { ...extractor, min_sentence_length: length } }, "min_sentence_length")}
        />
      )}
      <Disclosure title="Limits and output">
        <NumberField
          label="Max facts"
          value={config.max_facts}
          min={1}
          max={50}
          onCommit={(count) => set({ max_facts: count }, "max_facts")}
        />
        <OptionalPathField
          label="Write facts to"
          hint="If empty, facts go only to the workspace's memory."
          graph={graph}
          value={config.write_to}
          onCommit={(path) => set({ write_to: path }, "write_to")}
        />
      </Disclosure>
    </>
  );
};

export const reflectionUi: KindUi<"reflection"> = {
  icon: Lightbulb,
  group: "work",
  summary: ({ config }) => `Up to ${config.max_facts} facts on ${config.topic}`,
  Form,
  initial: () => ({ config: { topic: "lessons", extractor: { type: "rules", min_sentence_length: SENTENCE_LENGTH }, max_facts: 10 } }),
};

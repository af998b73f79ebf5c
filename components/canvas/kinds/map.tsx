"use client";

import { Repeat2 } from "lucide-react";
import { z } from "zod";
import { AgentSelect, getFirstAgent } from "@/components/canvas/fields/agent-select";
import { listDeclaredPaths, findFirstList } from "@/components/canvas/fields/declared-paths";
import { ConcurrencyField } from "@/components/canvas/fields/concurrency-field";
import { Disclosure } from "@/components/canvas/fields/disclosure";
import { ERROR_STRATEGIES } from "@/components/canvas/fields/error-strategies";
import { Instructions } from "@/components/canvas/fields/instructions";
import { JsonField } from "@/components/canvas/fields/json-field";
import { listLooseNodes, NodeSelect } from "@/components/canvas/fields/node-select";
import { NumberField } from "@/components/canvas/fields/number-field";
import { OptionalSection } from "@/components/canvas/fields/optional-section";
import { OptionalPathField, PathField, WriteTo } from "@/components/canvas/fields/path-field";
import { dropUndefined } from "@/components/canvas/fields/without-undefined";
import { Field } from "@/components/ui/field";
import { Select } from "@/components/ui/select";
import type { Graph, GraphNode } from "@/lib/graph/document";
import { getKind } from "@/lib/graph/kind-of";
import { jsonSchema } from "@/lib/json";
import type { FormProps, KindUi } from "./kind-ui";

const isWorker = (node: GraphNode): boolean => getKind(node).worksOnItems;
const MAX_ITEMS = 1_000;
const listSchema = z.array(jsonSchema).max(MAX_ITEMS);

const ITEM_SOURCES = [
  { value: "from", label: "A list in memory" },
  { value: "value", label: "A fixed list" },
] as const;

const listPath = (graph: Graph): string => findFirstList(graph) ?? listDeclaredPaths(graph)[0] ?? "items";

const Form = ({ node, graph, catalog, change }: FormProps<"map">) => {
  const { config } = node;
  const { items, synthesizer } = config;
  const set = (changed: Partial<typeof config>, field?: string) =>
    change({ ...node, config: dropUndefined({ ...config, ...changed }) }, field);

  return (
    <>
      <NodeSelect
        label="Worker"
        hint="Runs once per item, with its own grants. Choose an agent, tool or transform without edges."
        graph={graph}
        of={node.id}
        accepts={isWorker}
        value={config.worker_node}
        onChange={(id) => {
          if (id !== undefined) set({ worker_node: id });
        }}
      />
      <Field label="Items">
        <Select
          items={ITEM_SOURCES}
          value={"from" in items ? "from" : "value"}
          onValueChange={(source) => set({ items: source === "from" ? { from: listPath(graph) } : { value: [] } })}
        />
      </Field>
      {"from" in items ? (
        <PathField label="List path" graph={graph} value={items.from} onCommit={(from) => set({ items: { from } }, "items")} />
      ) : (
        <JsonField
          label="List (JSON)"
          value={items.value}
          check={(value) => (listSchema.safeParse(value).success ? null : "Enter a list of at most 1,000 items.")}
          onCommit={(value) => {
            const list = listSchema.safeParse(value).data;
            if (list) set({ items: { value: list } }, "items");
          }}
        />
      )}
      <WriteTo label="Write results to" graph={graph} value={config.write_to} onCommit={(path) => set({ write_to: path }, "write_to")} />
      <OptionalSection
        title="Combine results into one answer"
        about="An agent combines the results. Its answer is written instead of the list."
        isOn={synthesizer !== undefined}
        onToggle={(isOn) => set({ synthesizer: isOn ? { agent_id: getFirstAgent(catalog), instructions: "" } : undefined })}
      >
        {synthesizer ? (
          <>
            <AgentSelect
              label="Combining agent"
              catalog={catalog}
              value={synthesizer.agent_id}
              onChange={(id) => set({ synthesizer: { ...synthesizer, agent_id: id } })}
            />
            <Instructions
              value={synthesizer.instructions}
              onCommit={(instructions) => set({ synthesizer: { ...synthesizer, instructions } }, "synthesizer")}
            />
          </>
        ) : null}
      </OptionalSection>
      <Disclosure title="Limits and failed items">
        <NumberField
          label="Max items"
          hint="Longer lists fail the node; items are never dropped."
          value={config.max_items}
          min={1}
          max={MAX_ITEMS}
          onCommit={(count) => set({ max_items: count }, "max_items")}
        />
        <ConcurrencyField value={config.max_concurrency} onCommit={(count) => set({ max_concurrency: count }, "max_concurrency")} />
        <Field label="When an item fails">
          <Select items={ERROR_STRATEGIES} value={config.error_strategy} onValueChange={(strategy) => set({ error_strategy: strategy })} />
        </Field>
        <OptionalPathField
          label="Write failed items to"
          hint="If empty, not written."
          graph={graph}
          value={config.errors_to}
          onCommit={(path) => set({ errors_to: path }, "errors_to")}
        />
      </Disclosure>
    </>
  );
};

export const mapUi: KindUi<"map"> = {
  icon: Repeat2,
  group: "combine",
  summary: ({ config }) => `${config.worker_node} for each of ${"from" in config.items ? config.items.from : config.items.value.length}`,
  Form,
  initial: (graph) => ({
    config: {
      worker_node: listLooseNodes(graph, isWorker)[0]?.id ?? "unassigned",
      items: { from: listPath(graph) },
      max_items: MAX_ITEMS,
      max_concurrency: 5,
      error_strategy: "best_effort",
    },
  }),
};

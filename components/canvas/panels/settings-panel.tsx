"use client";

import { NumberField, OptionalNumberField } from "@/components/canvas/fields/number-field";
import { TextField } from "@/components/canvas/fields/text-field";
import { SchemaBuilder } from "@/components/canvas/schema-builder/schema-builder";
import { useCanvas, useDocument } from "@/components/canvas/state/canvas-context";
import { Checkbox } from "@/components/ui/checkbox";
import { Field } from "@/components/ui/field";
import { Select } from "@/components/ui/select";
import type { GraphSettings } from "@/lib/graph/edit";
import { OutsideSettings } from "./outside-settings";
import { PasskeySettings } from "./passkey-settings";
import { TriggerSettings } from "./trigger-settings";
import { VerificationSettings } from "./verification-settings";

const MINUTE_MS = 60_000;

export const SettingsPanel = () => {
  const graph = useDocument();
  const edit = useCanvas((state) => state.edit);
  const set = (settings: GraphSettings, field?: string) =>
    edit([{ op: "settings", settings }], field === undefined ? undefined : `settings ${field}`);
  const nodes = graph.nodes.map((node) => ({ value: node.id, label: node.title === "" ? node.id : `${node.title} (${node.id})` }));

  return (
    <div className="flex flex-col gap-4">
      <TextField
        label="Name"
        value={graph.name}
        check={(text) => (text.trim() === "" || text.length > 120 ? "1 to 120 characters." : null)}
        onCommit={(name) => set({ name }, "name")}
      />
      <TextField
        label="Description"
        rows={3}
        value={graph.description}
        check={(text) => (text.length > 2_000 ? "At most 2,000 characters." : null)}
        onCommit={(description) => set({ description }, "description")}
      />
      <Field label="Start">
        <Select items={nodes} value={graph.start_node} placeholder="Not set" onValueChange={(id) => set({ start_node: id })} />
      </Field>
      <fieldset className="flex flex-col gap-1.5">
        <legend className="mb-1 text-sm font-medium">The run may end at</legend>
        {graph.nodes.length === 0 ? <p className="text-xs text-muted">There are no nodes yet.</p> : null}
        {graph.nodes.map((node) => (
          <Checkbox
            key={node.id}
            checked={graph.end_nodes.includes(node.id)}
            onCheckedChange={(isEnd) =>
              set({ end_nodes: isEnd ? [...graph.end_nodes, node.id] : graph.end_nodes.filter((id) => id !== node.id) })
            }
          >
            {node.title === "" ? node.id : node.title}
          </Checkbox>
        ))}
      </fieldset>
      <SchemaBuilder
        title="Launch form"
        jsonLabel="Launch form (JSON Schema)"
        hint="Fields named like a memory key fill it when the run starts."
        root="object"
        schema={graph.inputs}
        suggestions={graph.memory.map(({ key }) => key)}
        onChange={(inputs, part) => set({ inputs: { ...inputs } }, part && `inputs.${part}`)}
      />
      <NumberField
        label="Max steps"
        value={graph.max_iterations}
        min={1}
        max={100_000}
        onCommit={(steps) => set({ max_iterations: steps }, "steps")}
      />
      <NumberField
        label="Max minutes"
        hint="Time spent waiting for people is not counted."
        integer={false}
        value={graph.max_execution_time_ms / MINUTE_MS}
        min={0.001}
        max={43_200}
        onCommit={(minutes) => set({ max_execution_time_ms: Math.round(minutes * MINUTE_MS) }, "time")}
      />
      <OptionalNumberField
        label="Max minutes to wait for a model's provider"
        hint="While it is down or asks to wait. 15 minutes if empty; 0 fails at once."
        integer={false}
        value={graph.max_outage_ms === undefined ? undefined : graph.max_outage_ms / MINUTE_MS}
        min={0}
        max={1_440}
        onCommit={(minutes) => set({ max_outage_ms: minutes === undefined ? undefined : Math.round(minutes * MINUTE_MS) }, "outage")}
      />
      <OptionalNumberField
        label="Max tokens of a conversation"
        hint="Of an agent with its prompt, estimated. If empty, as many as its model takes."
        value={graph.max_thread_tokens}
        min={1_000}
        max={10_000_000}
        onCommit={(tokens) => set({ max_thread_tokens: tokens }, "thread")}
      />
      <Checkbox checked={graph.over_thread === "drop"} onCheckedChange={(drops) => set({ over_thread: drops ? "drop" : undefined })}>
        Drop older turns of longer conversations instead of summarizing them
      </Checkbox>
      <OptionalNumberField
        label="Max tokens"
        value={graph.max_token_budget}
        min={0}
        max={1_000_000_000}
        onCommit={(tokens) => set({ max_token_budget: tokens }, "tokens")}
      />
      <OptionalNumberField
        label="Max cost (US dollars)"
        integer={false}
        value={graph.budget_usd}
        min={0}
        max={1_000_000}
        onCommit={(dollars) => set({ budget_usd: dollars }, "dollars")}
      />
      <Checkbox checked={graph.over_budget === "ask"} onCheckedChange={(asks) => set({ over_budget: asks ? "ask" : undefined })}>
        At its token or cost limit, ask a reviewer to raise it instead of ending the run
      </Checkbox>
      <Checkbox checked={graph.strict_taint} onCheckedChange={(strict) => set({ strict_taint: strict })}>
        Strict taint: wait for a person at every decision that depends on an untrusted value
      </Checkbox>
      <div className="flex flex-col gap-0.5">
        <Checkbox checked={graph.isolate_untrusted} onCheckedChange={(isolated) => set({ isolate_untrusted: isolated })}>
          Show agents untrusted values only as handles
        </Checkbox>
        <p className="pl-6 text-xs text-muted">Only extract and review nodes open handles. A judge promotes what passes.</p>
      </div>
      <PasskeySettings graph={graph} set={set} />
      <VerificationSettings graph={graph} set={set} />
      <OutsideSettings graph={graph} set={set} />
      <TriggerSettings graph={graph} set={set} />
    </div>
  );
};

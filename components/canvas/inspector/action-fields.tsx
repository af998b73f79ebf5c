"use client";

import { EntryList } from "@/components/canvas/fields/entry-list";
import { declaredPaths } from "@/components/canvas/fields/declared-paths";
import { PathField } from "@/components/canvas/fields/path-field";
import { TextField } from "@/components/canvas/fields/text-field";
import { useDocument } from "@/components/canvas/state/canvas-context";
import { Checkbox } from "@/components/ui/checkbox";
import type { GraphNode, NodeAction } from "@/lib/graph/document";
import { freshId } from "@/lib/graph/edit-nodes";
import { idSchema } from "@/lib/ids";

const NOTHING: NodeAction = { description: "", inputs: [] };
const MAX_INPUTS = 50;

type Input = NodeAction["inputs"][number];

type Props = { readonly node: GraphNode; readonly change: (node: GraphNode, field?: string) => void };

/** What an outside agent is told about a node that it may name, and what it gives with it. */
export const ActionFields = ({ node, change }: Props) => {
  const graph = useDocument();
  const { action = NOTHING, ...rest } = node;
  const { inputs } = action;
  const set = (changed: Partial<NodeAction>, field?: string) => {
    const next = { ...action, ...changed };
    const isEmpty = next.description === "" && next.inputs.length === 0;
    change(isEmpty ? rest : { ...node, action: next }, field && `action.${field}`);
  };
  const setInput = (index: number, input: Input, field?: string) =>
    set({ inputs: inputs.with(index, input) }, field && `${index}.${field}`);

  return (
    <section aria-label="As an action" className="flex flex-col gap-3 border-t pt-3">
      <div className="flex flex-col gap-0.5">
        <h3 className="text-sm font-medium">As an action</h3>
        <p className="text-xs text-muted">This graph is driven from outside: a caller names this step when it is open.</p>
      </div>
      <TextField
        label="What the caller is told"
        rows={2}
        value={action.description}
        check={(text) => (text.length > 2_000 ? "At most 2,000 characters." : null)}
        onCommit={(description) => set({ description }, "description")}
      />
      <EntryList
        title="Inputs"
        hint="Each is written to memory before the node works, as what its key's schema asks for, and counts as untrusted."
        noun="input"
        empty="The caller gives nothing with it. Add an input when this step needs one."
        entries={inputs}
        onRemove={(index) => set({ inputs: inputs.toSpliced(index, 1) })}
        adds={[
          {
            label: "Add an input",
            whyNot: inputs.length >= MAX_INPUTS ? "At most 50" : null,
            onAdd: () => {
              const name = freshId("input", new Set(inputs.map((input) => input.name)));
              set({ inputs: [...inputs, { name, path: declaredPaths(graph)[0] ?? "input", description: "", required: true }] });
            },
          },
        ]}
      >
        {(input, index) => (
          <>
            <TextField
              label={`Name of input ${index + 1}`}
              mono
              value={input.name}
              check={(text) => {
                if (inputs.some(({ name }, other) => other !== index && name === text)) return "Another input is called so.";

                return idSchema.safeParse(text).success ? null : "A letter, then letters, digits, - or _.";
              }}
              onCommit={(name) => setInput(index, { ...input, name }, "name")}
            />
            <PathField
              label={`Input ${index + 1} goes to`}
              graph={graph}
              value={input.path}
              onCommit={(path) => setInput(index, { ...input, path }, "path")}
            />
            <TextField
              label={`What input ${index + 1} means`}
              value={input.description}
              check={(text) => (text.length > 500 ? "At most 500 characters." : null)}
              onCommit={(description) => setInput(index, { ...input, description }, "description")}
            />
            <Checkbox checked={input.required} onCheckedChange={(required) => setInput(index, { ...input, required })}>
              It must be given
            </Checkbox>
          </>
        )}
      </EntryList>
    </section>
  );
};

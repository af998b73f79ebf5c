"use client";

import { EntryList } from "@/components/canvas/fields/entry-list";
import { listDeclaredPaths } from "@/components/canvas/fields/declared-paths";
import { PathField } from "@/components/canvas/fields/path-field";
import { TextField } from "@/components/canvas/fields/text-field";
import { useDocument } from "@/components/canvas/state/canvas-context";
import { Checkbox } from "@/components/ui/checkbox";
import type { GraphNode, NodeAction } from "@/lib/graph/document";
import { generateId } from "@/lib/graph/edit-nodes";
import { idSchema } from "@/lib/ids";

const NOTHING: NodeAction = { description: "", inputs: [] };
const MAX_INPUTS = 50;

type Input = NodeAction["inputs"][number];

type Props = { readonly node: GraphNode; readonly change: (node: GraphNode, field?: string) => void };

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
    <section aria-label="Action" className="flex flex-col gap-3 border-t pt-3">
      <div className="flex flex-col gap-0.5">
        <h3 className="text-sm font-medium">Action</h3>
        <p className="text-xs text-muted">This graph is driven by outside agents. A caller can choose this step when it is available.</p>
      </div>
      <TextField
        label="Description for the caller"
        rows={2}
        value={action.description}
        check={(text) => (text.length > 2_000 ? "At most 2,000 characters." : null)}
        onCommit={(description) => set({ description }, "description")}
      />
      <EntryList
        title="Inputs"
        hint="Each input is checked against its key's schema and written to memory as untrusted before the node runs."
        noun="input"
        empty="No inputs yet. Add one if this step needs data from the caller."
        entries={inputs}
        onRemove={(index) => set({ inputs: inputs.toSpliced(index, 1) })}
        adds={[
          {
            label: "Add an input",
            whyNot: inputs.length >= MAX_INPUTS ? "At most 50" : null,
            onAdd: () => {
              const name = generateId("input", new Set(inputs.map((input) => input.name)));
              set({ inputs: [...inputs, { name, path: listDeclaredPaths(graph)[0] ?? "input", description: "", required: true }] });
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
                if (inputs.some(({ name }, other) => other !== index && name === text)) return "Another input already has this name.";

                return idSchema.safeParse(text).success ? null : "A letter, then letters, digits, - or _.";
              }}
              onCommit={(name) => setInput(index, { ...input, name }, "name")}
            />
            <PathField
              label={`Write input ${index + 1} to`}
              graph={graph}
              value={input.path}
              onCommit={(path) => setInput(index, { ...input, path }, "path")}
            />
            <TextField
              label={`Description of input ${index + 1}`}
              value={input.description}
              check={(text) => (text.length > 500 ? "At most 500 characters." : null)}
              onCommit={(description) => setInput(index, { ...input, description }, "description")}
            />
            <Checkbox checked={input.required} onCheckedChange={(required) => setInput(index, { ...input, required })}>
              Required
            </Checkbox>
          </>
        )}
      </EntryList>
    </section>
  );
};

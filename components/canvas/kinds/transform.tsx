"use client";

import { Plus, Sigma, Trash2 } from "lucide-react";
import { listDeclaredPaths } from "@/components/canvas/fields/declared-paths";
import { findExpressionFault } from "@/components/canvas/fields/expression-check";
import { PathField } from "@/components/canvas/fields/path-field";
import { TextField } from "@/components/canvas/fields/text-field";
import { Button } from "@/components/ui/button";
import type { FormProps, KindUi } from "./kind-ui";

const Form = ({ node, graph, change }: FormProps<"transform">) => {
  const { set } = node.config;
  const [firstPath = "result"] = listDeclaredPaths(graph);
  const replace = (next: typeof set, field?: string) => change({ ...node, config: { set: next } }, field);

  return (
    <fieldset className="flex flex-col gap-3">
      <legend className="mb-2 text-sm font-medium">Assignments</legend>
      {set.map((assignment, index) => (
        // Assignments have no id.
        <div key={index} className="flex flex-col gap-2 border-l-2 pl-2">
          <PathField
            label={`Path ${index + 1}`}
            graph={graph}
            value={assignment.path}
            onCommit={(path) => replace(set.with(index, { ...assignment, path }), `path.${index}`)}
          />
          <TextField
            label={`Expression ${index + 1}`}
            mono
            rows={2}
            value={assignment.value}
            check={findExpressionFault}
            onCommit={(value) => replace(set.with(index, { ...assignment, value }), `value.${index}`)}
          />
          <Button
            size="sm"
            variant="ghost"
            className="self-start"
            disabledReason={set.length === 1 ? "A transform needs at least one path" : null}
            onClick={() => replace(set.toSpliced(index, 1))}
          >
            <Trash2 aria-hidden /> Remove
          </Button>
        </div>
      ))}
      <Button size="sm" className="self-start" onClick={() => replace([...set, { path: firstPath, value: "true" }])}>
        <Plus aria-hidden /> Add an assignment
      </Button>
    </fieldset>
  );
};

export const transformUi: KindUi<"transform"> = {
  icon: Sigma,
  group: "work",
  summary: ({ config }) => config.set.map((assignment) => assignment.path).join(", "),
  Form,
  initial: (graph) => {
    const [path = "result"] = listDeclaredPaths(graph);

    return { write_keys: [path], config: { set: [{ path, value: "true" }] } };
  },
};

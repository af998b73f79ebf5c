"use client";

import { ArgumentList } from "@/components/canvas/fields/argument-list";
import { UNDO_SOURCES } from "@/components/canvas/fields/argument-sources";
import { Disclosure } from "@/components/canvas/fields/disclosure";
import { OptionalSection } from "@/components/canvas/fields/optional-section";
import { findPinnedTool, ToolSelect } from "@/components/canvas/fields/tool-select";
import { useCanvas, useDocument } from "@/components/canvas/state/canvas-context";
import { nodeBudgetSchema, type GraphNode } from "@/lib/graph/document";
import { PartForm } from "./part-form";

type Props = { readonly node: GraphNode; readonly change: (node: GraphNode, field?: string) => void };

export const BudgetFields = ({ node, change }: Props) => {
  const { budget = {}, ...rest } = node;

  return (
    <Disclosure title="Budget">
      <PartForm
        schema={nodeBudgetSchema}
        values={budget}
        onChange={(next, field) => change(Object.keys(next).length === 0 ? rest : { ...node, budget: next }, field)}
      />
    </Disclosure>
  );
};

export const UndoFields = ({ node, change }: Props) => {
  const graph = useDocument();
  const catalog = useCanvas((state) => state.catalog);
  const { compensation, ...rest } = node;
  const first = catalog.tools.find((tool) => tool.effect === "write" || tool.effect === "irreversible") ?? catalog.tools[0];

  return (
    <OptionalSection
      title="Undo its effects"
      about="When the run fails or is cancelled, this tool is called once per effect, in reverse order."
      isOn={compensation !== undefined}
      onToggle={(isOn) =>
        change(
          isOn
            ? { ...node, compensation: { server: first?.server ?? "unassigned", tool: first?.tool ?? "unassigned", arguments: {} } }
            : rest,
        )
      }
    >
      {compensation ? (
        <>
          <ToolSelect
            label="Undo tool"
            catalog={catalog}
            value={compensation}
            onChange={({ server, tool }) => change({ ...node, compensation: { ...compensation, server, tool } })}
          />
          <ArgumentList
            schema={findPinnedTool(catalog, compensation)?.input_schema ?? null}
            sources={UNDO_SOURCES}
            values={compensation.arguments}
            graph={graph}
            onChange={(values, field) =>
              change({ ...node, compensation: { ...compensation, arguments: values } }, field && `undo.${field}`)
            }
          />
        </>
      ) : null}
    </OptionalSection>
  );
};

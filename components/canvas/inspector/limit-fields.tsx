"use client";

import { ArgumentList } from "@/components/canvas/fields/argument-list";
import { UNDO_SOURCES } from "@/components/canvas/fields/argument-sources";
import { Disclosure } from "@/components/canvas/fields/disclosure";
import { OptionalNumberField } from "@/components/canvas/fields/number-field";
import { OptionalSection } from "@/components/canvas/fields/optional-section";
import { findPinnedTool, ToolSelect } from "@/components/canvas/fields/tool-select";
import { dropUndefined } from "@/components/canvas/fields/without-undefined";
import { useCanvas, useDocument } from "@/components/canvas/state/canvas-context";
import type { GraphNode } from "@/lib/graph/document";

type Props = { readonly node: GraphNode; readonly change: (node: GraphNode, field?: string) => void };

/** Limits per run. */
export const BudgetFields = ({ node, change }: Props) => {
  const { budget, ...rest } = node;
  const set = (changed: NonNullable<typeof budget>, field: string) => {
    const next = dropUndefined({ ...budget, ...changed });
    change(Object.keys(next).length === 0 ? rest : { ...node, budget: next }, field);
  };

  return (
    <Disclosure title="Budget">
      <OptionalNumberField
        label="Max tokens per run"
        hint="Includes retries. If empty, only the run's limit applies."
        value={budget?.max_tokens}
        min={0}
        max={1_000_000_000}
        onCommit={(tokens) => set({ max_tokens: tokens }, "max_tokens")}
      />
      <OptionalNumberField
        label="Max cost per run (US dollars)"
        integer={false}
        value={budget?.max_cost_usd}
        min={0}
        max={1_000_000}
        onCommit={(dollars) => set({ max_cost_usd: dollars }, "max_cost_usd")}
      />
    </Disclosure>
  );
};

/** Undo when the run fails or is cancelled. */
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

import type { GraphNode, MemoryKey, NodeOf, PublishedGraph } from "@/lib/graph/document";
import { extractPath, findFormFaults } from "@/lib/graph/extract-form";
import { fillsForm } from "@/lib/graph/kind-of";
import type { ExtractValue } from "@/lib/graph/kinds/extract";
import { joinLabels, type Label } from "@/lib/graph/label";
import { getValueAt, isAtOrBelow, parsePath, withValueAt } from "@/lib/graph/path";
import { listSchemaFaults, type SchemaFault } from "@/lib/graph/schema-faults";
import { ownMember, toPlainJson, type Json } from "@/lib/json";
import { actionSchema } from "@/lib/engine/outside/action";
import { toMemory, type RunState } from "@/lib/engine/state";
import { getContextLabel } from "@/lib/engine/view";

export type Misfit = {
  readonly key: string;
  readonly faults: readonly SchemaFault[];
  /** Of the proposed value, had it been written. */
  readonly label: Label;
};

const LIMITS = { maxBytes: 1_048_576, maxDepth: 64 };

const plainOf = (value: unknown): Json => {
  const plain = toPlainJson(value, LIMITS);

  return plain.ok ? plain.value : null;
};

type Update = { readonly path: string; readonly value: unknown };

const listUpdates = (attempt: Json): readonly Update[] => {
  const actions = ownMember(attempt, "actions");
  const action = ownMember(attempt, "action");

  return [...(Array.isArray(actions) ? (actions as readonly Json[]) : []), ...(action === undefined ? [] : [action])].flatMap(
    (candidate) => {
      const { data } = actionSchema.safeParse(candidate);

      return data?.type === "update_memory" || data?.type === "merge_parallel_results" ? data.updates : [];
    },
  );
};

const describeRule = (rule: ExtractValue): string => {
  switch (rule.type) {
    case "enum":
      return `one of ${rule.values.map((value) => JSON.stringify(value)).join(", ")}`;
    case "integer":
    case "number":
      return `${rule.type}, ${rule.min} to ${rule.max}`;
    case "text":
      return `text, at most ${rule.max_length} characters`;
    case "boolean":
    case "date":
    case "url":
    case "email":
    case "path":
      return rule.type;
    default:
      return rule satisfies never;
  }
};

const listFormFaults = ({ config }: NodeOf<"extract">, value: Json): readonly SchemaFault[] => {
  const names = findFormFaults(config.fields, value) ?? [];

  return config.fields.flatMap(({ name, value: rule }) =>
    names.includes(name) ? [{ path: [name], expected: describeRule(rule), value: ownMember(value, name) }] : [],
  );
};

const labelOf = (published: PublishedGraph, state: RunState, node: GraphNode, declared: MemoryKey): Label => {
  const before = state.cells.filter(({ path }) => isAtOrBelow(parsePath(path) ?? [], [declared.key])).map(({ label }) => label);
  const classified: Label = { integrity: "trusted", confidentiality: declared.classification, provenance: [] };

  return joinLabels([getContextLabel(published, state, node), classified, ...before]);
};

/** Finds the first key whose value does not fit, else null. @param state before the record, with every value @param attempt the refused body */
export const findMisfit = (published: PublishedGraph, state: RunState, nodeId: string, attempt: Json): Misfit | null => {
  const node = published.graph.nodes.find(({ id }) => id === nodeId);
  if (!node) return null;
  let memory: Json = toMemory(state.cells);
  for (const { path, value } of listUpdates(attempt)) {
    const segments = parsePath(path) ?? [];
    const declared = published.graph.memory.find(({ key }) => key === segments[0]);
    if (!declared) continue;
    memory = withValueAt(memory, segments, plainOf(value));
    const form = fillsForm(node) && path === extractPath(node) ? listFormFaults(node, plainOf(value)) : [];
    const faults = form.length > 0 ? form : listSchemaFaults(declared.schema, getValueAt(memory, [declared.key]) ?? null);
    if (faults.length > 0) return { key: declared.key, faults, label: labelOf(published, state, node, declared) };
  }

  return null;
};

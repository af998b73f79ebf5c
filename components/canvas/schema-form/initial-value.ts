/** First values of fields that have no default. */
import { z } from "zod";
import { getFirstAgent } from "@/components/canvas/fields/agent-select";
import { findFirstList, getFirstPath } from "@/components/canvas/fields/declared-paths";
import { listLooseNodes } from "@/components/canvas/fields/node-select";
import { listTopics } from "@/components/canvas/fields/topics";
import type { Graph, GraphNode } from "@/lib/graph/document";
import { listFields, listVariants, type FieldMeta, type FormField } from "@/lib/graph/field";
import { getKind, opensCase } from "@/lib/graph/kind-of";
import type { ValidationContext } from "@/lib/graph/facts/facts";
import { UNASSIGNED } from "@/lib/graph/wiring";

export type FormPlace = {
  readonly graph: Graph;
  readonly catalog: ValidationContext;
  /** Absent: a node that does not exist yet. */
  readonly nodeId?: string;
};

export type Values = Readonly<Record<string, unknown>>;

export const NODE_FILTERS = {
  all: () => true,
  workers: (node: GraphNode) => getKind(node).worksOnItems,
  cases: opensCase,
} as const;

const firstNode = ({ graph, nodeId }: FormPlace, { nodes }: FieldMeta): string => {
  const fits = (node: GraphNode) => node.id !== nodeId && NODE_FILTERS[nodes ?? "all"](node);
  const found = [...listLooseNodes(graph), ...graph.nodes].filter(fits);

  return (found.find(({ id }) => !graph.end_nodes.includes(id)) ?? found[0])?.id ?? UNASSIGNED;
};

const createText = (meta: FieldMeta, place: FormPlace): string => {
  const { widget } = meta;
  switch (widget) {
    case "agent":
    case "own_agent":
      return getFirstAgent(place.catalog);
    case "group":
      return place.catalog.approvers?.groups[0]?.name ?? "";
    case "node":
      return firstNode(place, meta);
    case "list_path":
      return findFirstList(place.graph) ?? getFirstPath(place.graph);
    case "path":
      return getFirstPath(place.graph);
    case "topic":
      return listTopics(place.graph)[0] ?? "lessons";
    case "expression":
    case "code":
    case "json":
    case "prose":
    case "schema":
    case undefined:
      return "";
    default:
      return widget satisfies never;
  }
};

export const createValue = ({ meta, inner }: Pick<FormField, "meta" | "inner">, place: FormPlace, siblings: Values): unknown => {
  if (meta.initial) return meta.initial(getFirstPath(place.graph), siblings);
  if (inner instanceof z.ZodObject) return createValues(inner, place);
  if (inner instanceof z.ZodArray) {
    const { element } = inner;
    const isEmptyAllowed = inner.safeParse([]).success;

    return isEmptyAllowed ? [] : [element instanceof z.ZodObject ? createValues(element, place) : createText(meta, place)];
  }
  if (inner instanceof z.ZodUnion) return createVariant(listVariants(inner)[0], place);
  if (inner instanceof z.ZodRecord) return {};

  return createText(meta, place);
};

/** Creates required fields; defaults fill in the rest. */
export const createValues = (object: z.ZodObject, place: FormPlace): Values =>
  listFields(object).reduce<Values>(
    (values, field) =>
      field.meta.isPreset || !field.schema.safeParse(undefined).success
        ? { ...values, [field.name]: createValue(field, place, values) }
        : values,
    {},
  );

/** Creates a union's alternative, keeping members shared with `before`. */
export const createVariant = (option: z.ZodObject | undefined, place: FormPlace, before: Values = {}): Values => {
  if (!option) return {};
  const { type } = option.shape as Readonly<Record<string, unknown>>;
  const kept = listFields(option).filter(({ name, schema }) => name in before && schema.safeParse(before[name]).success);

  return {
    ...(type instanceof z.ZodLiteral ? { type: type.value } : {}),
    ...createValues(option, place),
    ...Object.fromEntries(kept.map(({ name }) => [name, before[name]])),
  };
};

/** Adapts other fields to a change: keeps bounds, drops hidden values, creates revealed ones. */
export const followChange = (object: z.ZodObject, place: FormPlace, changed: Values): Values => {
  const next = { ...changed };
  for (const field of listFields(object)) {
    const { name, meta, isOptional } = field;
    const isShown = meta.when?.(next) !== false;
    const most = isShown ? meta.atMost?.(next) : undefined;
    const value = next[name];
    if (most !== undefined && typeof value === "number") next[name] = Math.min(value, most);
    if (meta.when && isOptional && meta.none === undefined) {
      if (!isShown) delete next[name];
      else if (value === undefined) next[name] = createValue(field, place, next);
    }
  }

  return next;
};

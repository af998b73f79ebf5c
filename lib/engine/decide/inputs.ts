/** Parses external agents' inputs; refusals name inputs only. */
import type { GraphNode, NodeAction, PublishedGraph } from "@/lib/graph/document";
import { findSchemaFaults } from "@/lib/graph/json-schema";
import { joinLabels, type Label } from "@/lib/graph/label";
import { parsePath, withValueAt } from "@/lib/graph/path";
import { isJsonObject, ownMember, toPlainJson, type Json, type JsonObject } from "@/lib/json";
import { parseJsonText } from "@/lib/json-text";
import { refuse, type Refusal } from "@/lib/refusal";
import { err, ok, type Result } from "@/lib/result";
import type { Update } from "@/lib/engine/decide/step";
import { checkWrites } from "@/lib/engine/decide/writes";
import { toMemory, type RunState } from "@/lib/engine/state";

const LIMITS = { maxBytes: 16 * 1_048_576, maxDepth: 64 };

export type Given = {
  readonly names: readonly string[];
  readonly updates: readonly Update[];
  readonly protectedInputs: readonly string[];
  readonly label: Label;
};

type Input = NodeAction["inputs"][number];

const objectOf = (inputs: Json): JsonObject | null => {
  if (inputs === null) return {};
  const parsed = typeof inputs === "string" ? parseJsonText(inputs, LIMITS) : inputs;
  const plain = toPlainJson(parsed, LIMITS);

  return plain.ok && isJsonObject(plain.value) ? plain.value : null;
};

const namesOf = (inputs: readonly Input[]): readonly string[] => inputs.map(({ name }) => name);

type Value = { readonly input: Input; readonly update: Update };

const keyOf = ({ path }: Input): string => parsePath(path)?.[0] ?? "";

const unfit = ({ graph }: PublishedGraph, state: RunState, key: string, values: readonly Value[]): readonly Input[] => {
  const declared = graph.memory.find((candidate) => candidate.key === key);
  const memory = values.reduce<Json>(
    (root, { update }) => withValueAt(root, parsePath(update.path) ?? [], update.value),
    toMemory(state.cells),
  );
  const faults = declared ? findSchemaFaults(declared.schema, ownMember(memory, key) ?? null, true) : [];
  const inputs = values.map(({ input }) => input);
  const found = inputs.filter(({ path }) => {
    const place = ["#", ...path.split(".").slice(1)].join("/");

    return place !== "#" && faults.some((fault) => fault === place || fault.startsWith(`${place}/`));
  });

  return found.length > 0 ? found : inputs;
};

export const checkGivenInputs = (
  published: PublishedGraph,
  state: RunState,
  node: GraphNode,
  raw: Json,
  by: Label,
): Result<Given, Refusal> => {
  const declared = node.action?.inputs ?? [];
  const invalid = (inputs: readonly Input[]) => err(refuse("validation_failed", namesOf(inputs)));
  const object = objectOf(raw);
  if (!object || Object.keys(object).some((name) => !declared.some((input) => input.name === name))) return invalid(declared);
  const missing = declared.filter(({ name, required }) => required && ownMember(object, name) === undefined);
  if (missing.length > 0) return invalid(missing);
  const given = declared.flatMap((input): Value[] => {
    const value = ownMember(object, input.name);

    return value === undefined ? [] : [{ input, update: { path: input.path, value } }];
  });
  const judged = [...Map.groupBy(given, ({ input }) => keyOf(input))].map(([key, values]) => {
    const updates = values.map(({ update }) => update);
    const grants = updates.map(({ path }) => path);

    return { key, values, result: checkWrites(published, state, grants, updates, by) };
  });
  const faulty = judged.flatMap(({ key, values, result }) => (result.ok ? [] : [{ key, values, code: result.error.code }]));
  // Low integrity is no fault of the value.
  const distrusted = faulty.filter(({ code }) => code === "integrity_too_low");
  const misfits = faulty.filter(({ code }) => code !== "integrity_too_low");
  if (misfits.length > 0) return invalid(misfits.flatMap(({ key, values }) => unfit(published, state, key, values)));
  if (distrusted.length > 0)
    return err(refuse("integrity_too_low", namesOf(distrusted.flatMap(({ values }) => values.map(({ input }) => input)))));
  const held = judged.filter(({ result }) => result.ok && result.value.protectedKeys.length > 0);

  return ok({
    names: namesOf(given.map(({ input }) => input)),
    updates: given.map(({ update }) => update),
    protectedInputs: namesOf(held.flatMap(({ values }) => values.map(({ input }) => input))),
    label: joinLabels(judged.flatMap(({ result }) => (result.ok ? result.value.writes.map((write) => write.label) : []))),
  });
};

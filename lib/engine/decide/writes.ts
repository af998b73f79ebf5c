import { listReferences, withArtifacts, getArtifactSource, type Artifact } from "@/lib/artifact";
import { oncePer } from "@/lib/once-per";
import type { Graph, MemoryKey, PublishedGraph } from "@/lib/graph/document";
import { matchesSchema } from "@/lib/graph/json-schema";
import { joinLabels, meetsIntegrity, type Label } from "@/lib/graph/label";
import { hasPlaceAt, isGranted, parsePath, getValueAt, withValueAt } from "@/lib/graph/path";
import { toPlainJson, type Json } from "@/lib/json";
import { refuse, type Refusal, type RefusalCode } from "@/lib/refusal";
import { err, ok, type Result } from "@/lib/result";
import { toMemory, type RunState } from "@/lib/engine/state";
import type { Write } from "@/lib/engine/decide/verdict";

type Update = { readonly path: string; readonly value: unknown };
export type CheckedWrites = { readonly writes: readonly Write[]; readonly protectedKeys: readonly string[] };

const JSON_FAULTS = {
  not_plain_json: "value_not_json",
  value_too_deep: "value_too_deep",
  value_too_large: "value_too_large",
} as const satisfies Record<string, RefusalCode>;

const boundsOf = (declared: MemoryKey) => ({ maxBytes: declared.max_bytes, maxDepth: declared.max_depth });

const checkValue = (declared: MemoryKey, memory: Json, update: Update): Result<Json, RefusalCode> => {
  const part = toPlainJson(update.value, boundsOf(declared));
  if (!part.ok) return err(JSON_FAULTS[part.error]);

  return hasPlaceAt(memory, parsePath(update.path) ?? []) ? ok(part.value) : err("value_invalid");
};

/** Schemas cover whole keys, so nested writes need their result checked. */
const wholeFault = (declared: MemoryKey, memory: Json): RefusalCode | null => {
  const whole = toPlainJson(getValueAt(memory, [declared.key]) ?? null, boundsOf(declared));
  if (!whole.ok) return JSON_FAULTS[whole.error];

  return matchesSchema(declared.schema, whole.value, true) ? null : "value_invalid";
};

const listUnseen = (value: Json, label: Label, given: readonly string[]): readonly (Artifact | null)[] =>
  listReferences(value).filter((artifact) => {
    const source = artifact && getArtifactSource(artifact);

    return source === null || !(given.includes(source) || label.provenance.includes(source));
  });

const declaredKeysOf = oncePer((memory: Graph["memory"]) => new Map(memory.map((key) => [key.key, key])));

/** Checks all updates first. Refusals name declared keys only. */
export const checkWrites = (
  published: PublishedGraph,
  state: RunState,
  grants: readonly string[],
  updates: readonly Update[],
  label: Label,
  given: readonly string[] = [],
): Result<CheckedWrites, Refusal> => {
  const declaredKeys = declaredKeysOf(published.graph.memory);
  const known = (path: string) => {
    const key = parsePath(path)?.[0];

    return key !== undefined && declaredKeys.has(key) ? key : null;
  };
  const named = (list: readonly Update[]) => [...new Set(list.flatMap((update) => known(update.path) ?? []))];

  const undeclared = updates.filter((update) => known(update.path) === null);
  if (undeclared.length > 0) return err(refuse("key_undeclared", named(updates)));
  const ungranted = updates.filter((update) => !isGranted(grants, parsePath(update.path) ?? []));
  if (ungranted.length > 0) return err(refuse("write_not_granted", named(ungranted)));

  const writes: Write[] = [];
  let memory: Json = toMemory(state.cells);
  for (const update of updates) {
    const path = parsePath(update.path) ?? [];
    const declared = declaredKeys.get(path[0] ?? "");
    if (!declared) return err(refuse("key_undeclared"));
    const value = checkValue(declared, memory, update);
    if (!value.ok) return err(refuse(value.error, [declared.key]));
    if (listUnseen(value.value, label, given).length > 0) return err(refuse("artifact_unknown", [declared.key]));
    if (!meetsIntegrity(label, declared.min_integrity)) return err(refuse("integrity_too_low", [declared.key]));
    memory = withValueAt(memory, path, value.value);
    const classified: Label = { integrity: "trusted", confidentiality: declared.classification, provenance: [] };
    const files = listReferences(value.value).filter((artifact) => artifact !== null);
    writes.push({ path: update.path, value: value.value, label: withArtifacts(joinLabels([label, classified]), files) });
  }
  for (const key of named(updates)) {
    const declared = declaredKeys.get(key);
    const fault = declared && wholeFault(declared, memory);
    if (fault) return err(refuse(fault, [key]));
  }
  const protectedKeys = named(updates).filter((key) => declaredKeys.get(key)?.protected);

  return ok({ writes, protectedKeys });
};

/** Records a run read, matched to a call's arguments by name. */
import type { PublishedGraph } from "@/lib/graph/document";
import { callsTool } from "@/lib/graph/kind-of";
import { getValueAt, parsePath } from "@/lib/graph/path";
import { isJsonObject, ownMember, type Json, type JsonObject } from "@/lib/json";
import { isSameValue } from "@/lib/leaves";
import { entityOf } from "@/lib/engine/approvals/argument-format";
import { classifyControl } from "@/lib/engine/labels/control-position";
import { findAside, findCellsAt, getKnownValue, toMemory, type Cell, type Effect, type RunState } from "@/lib/engine/state";

const MAX_DEPTH = 4;
const MAX_RECORDS = 500;
const MAX_VISITED = 20_000;
const MAX_SUBJECTS = 20;

type Scalar = string | number;

const isScalar = (value: Json | undefined): value is Scalar => typeof value === "string" || typeof value === "number";

const membersOf = (value: Json): Iterable<Json> => {
  if (Array.isArray(value)) return value as readonly Json[];

  return isJsonObject(value) ? Object.values(value) : [];
};

/** Finds the outermost objects with a scalar member of this name: a stranger may have written one inside. Bounded: results can be large. */
const findRecords = (root: Json, name: string): readonly JsonObject[] => {
  const found: JsonObject[] = [];
  let [level, visited] = [[root], 0];
  for (let depth = 0; depth <= MAX_DEPTH && level.length > 0; depth += 1) {
    const below: Json[] = [];
    for (const value of level) {
      if (isJsonObject(value) && isScalar(ownMember(value, name))) {
        found.push(value);
        if (found.length === MAX_RECORDS) return found;
        continue;
      }
      for (const member of membersOf(value)) {
        if (visited === MAX_VISITED) break;
        visited += 1;
        if (typeof member === "object" && member !== null) below.push(member);
      }
    }
    level = below;
  }

  return found;
};

const ID_NAME = /(?:^|[^A-Za-z])id$|[a-z]I[Dd]$/u;

const isIdentity = (schema: JsonObject, name: string, value: Json | undefined): boolean =>
  isScalar(value) && (entityOf(schema, name) !== null || ID_NAME.test(name) || classifyControl([name], undefined) === "account");

/** Lists values of answered reads, latest first. @param isOfGraph a node asked, not an agent */
const listAnswers = (published: PublishedGraph, state: RunState, isOfGraph: boolean): readonly Cell[] => {
  const isAsked = ({ node }: Effect): boolean => callsTool(published.graph.nodes.find(({ id }) => id === node)) === isOfGraph;

  return Object.values(state.effects)
    .filter((effect) => (effect.effect_class === "read" || effect.effect_class === "pure") && effect.outcome === "ok" && isAsked(effect))
    .toSorted((a, b) => b.seq - a.seq)
    .flatMap(({ effect_id: id }) => findAside(state, `$result.${id}`).slice(-1));
};

type Found = { readonly records: readonly JsonObject[]; readonly cell: Cell };

const findIn = (cells: readonly Cell[], name: string): readonly Found[] => {
  let left = MAX_RECORDS;

  return cells.flatMap((cell) => {
    const value = left === 0 ? undefined : getKnownValue(cell);
    const records = value === undefined ? [] : findRecords(value, name).slice(0, left);
    left -= records.length;

    return records.length === 0 ? [] : [{ records, cell }];
  });
};

/** Members on which all records of one identity agree: none speaks for the others. */
const agreed = ([first = {}, ...others]: readonly JsonObject[]): JsonObject =>
  Object.fromEntries(
    Object.entries(first).filter(([name, value]) =>
      others.every((other) => !Object.hasOwn(other, name) || isSameValue(ownMember(other, name), value)),
    ),
  );

export type LookedUp = { readonly record: JsonObject; readonly cell: Cell };

export type Subject = {
  readonly name: string;
  /** Record member with its identity. */
  readonly id: string;
  /** Null: the run did not read it. */
  readonly target: LookedUp | null;
  /** Latest record read instead of the target; null if that was read. */
  readonly other: LookedUp | null;
};

const matchIn = (found: readonly Found[], id: string, value: Json): LookedUp | null => {
  for (const { records, cell } of found) {
    const same = records.filter((record) => isSameValue(ownMember(record, id), value));
    if (same.length > 0) return { record: agreed(same), cell };
  }

  return null;
};

const latestIn = ([latest]: readonly Found[]): LookedUp | null => (latest ? { record: latest.records[0] ?? {}, cell: latest.cell } : null);

const keptAs = (memory: JsonObject, key: string): readonly (readonly [string, Json])[] => {
  const path = parsePath(key) ?? [];
  const [last, value] = [path.at(-1), getValueAt(memory, path)];

  return last === undefined || value === undefined ? [] : [[last, value]];
};

/** The shown object, if it has this identity. */
const findShown = (state: RunState, reviewKeys: readonly string[], id: string, value: Json): LookedUp | null => {
  const memory = toMemory(state.cells);
  for (const path of reviewKeys) {
    const places = parsePath(path) ?? [];
    const [around, cell] = [getValueAt(memory, places.slice(0, -1)), findCellsAt(state.cells, path).at(-1)];
    if (places.length < 2 || !cell || !isJsonObject(around) || !isSameValue(ownMember(around, id), value)) continue;
    const names = reviewKeys.filter((key) => (parsePath(key) ?? []).slice(0, -1).join(".") === places.slice(0, -1).join("."));
    const record = Object.fromEntries(names.flatMap((key) => keptAs(memory, key)));

    return { record, cell };
  }

  return null;
};

/** Picks the arguments that name a call's records. */
export const listTargets = (schema: JsonObject, args: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(args).filter(([name, value]) => isIdentity(schema, name, value)));

/** Finds the record each identifying argument names; others are absent. Reads of graph nodes count first: an agent could look up the record it wants to change. */
export const listSubjects = (
  published: PublishedGraph,
  state: RunState,
  schema: JsonObject,
  args: JsonObject,
  reviewKeys: readonly string[],
): readonly Subject[] => {
  const named = Object.entries(listTargets(schema, args));
  // Declared ones first, so that others cannot crowd them out.
  const declared = ownMember(schema, "properties");
  const ordered = named.toSorted(([a], [b]) => Number(ownMember(declared, b) !== undefined) - Number(ownMember(declared, a) !== undefined));
  if (ordered.length === 0) return [];
  const [ofGraph, ofAgents] = [listAnswers(published, state, true), listAnswers(published, state, false)];

  return ordered.slice(0, MAX_SUBJECTS).flatMap(([name, value]): Subject[] => {
    const id = entityOf(schema, name)?.id ?? name;
    const [own, others] = [findIn(ofGraph, id), findIn(ofAgents, id)];
    const match = matchIn(own, id, value);
    if (match) return [{ name, id, target: match, other: null }];
    const target = matchIn(others, id, value);
    const other = latestIn(own) ?? (target ? null : latestIn(others));
    if (target || other) return [{ name, id, target, other }];
    const shown = findShown(state, reviewKeys, id, value);

    return shown ? [{ name, id, target: shown, other: null }] : [];
  });
};

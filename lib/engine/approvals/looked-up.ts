/** Records that a run's reads returned, found by the names they share with a call's arguments. */
import { ownMember, isJsonObject, type Json, type JsonObject } from "@/lib/json";
import { classifyControl } from "@/lib/engine/labels/control-position";
import { findAside, getKnownValue, type Cell, type RunState } from "@/lib/engine/state";

export type LookedUp = { readonly record: JsonObject; readonly cell: Cell };

const MAX_DEPTH = 4;
const MAX_RECORDS = 500;

const recordsIn = (value: Json | undefined, depth = 0): readonly JsonObject[] => {
  if (depth > MAX_DEPTH || typeof value !== "object" || value === null) return [];
  const below = Object.values(value).flatMap((member: Json) => recordsIn(member, depth + 1));

  return isJsonObject(value) ? [value, ...below] : below;
};

/** Lists records of answered reads, latest first. */
const listLookedUp = (state: RunState): readonly LookedUp[] =>
  Object.values(state.effects)
    .filter(({ effect_class: kind, outcome }) => (kind === "read" || kind === "pure") && outcome === "ok")
    .toSorted((a, b) => b.seq - a.seq)
    .flatMap(({ effect_id: id }) => findAside(state, `$result.${id}`).slice(-1))
    .flatMap((cell) => recordsIn(getKnownValue(cell)).map((record) => ({ record, cell })))
    .slice(0, MAX_RECORDS);

const isScalar = (value: Json | undefined): value is string | number => typeof value === "string" || typeof value === "number";

const ID_NAME = /(?:^|[^A-Za-z])id$|[a-z]I[Dd]$/u;

/** Returns whether the argument names the record that a call is about. */
const isIdentity = (name: string, value: Json | undefined): boolean =>
  isScalar(value) && (ID_NAME.test(name) || classifyControl([name], undefined) === "account");

export type Subject = {
  /** Argument that names the record. */
  readonly name: string;
  /** The record with this identity, or the latest one with another. */
  readonly found: LookedUp;
  readonly matches: boolean;
};

/** Finds the record that each identifying argument names among those looked up; arguments without one are absent. */
export const listSubjects = (state: RunState, args: JsonObject): readonly Subject[] => {
  const named = Object.entries(args).filter(([name, value]) => isIdentity(name, value));
  const lookedUp = named.length === 0 ? [] : listLookedUp(state);

  return named.flatMap(([name, value]): Subject[] => {
    const known = lookedUp.filter(({ record }) => isScalar(ownMember(record, name)));
    const same = known.find(({ record }) => ownMember(record, name) === value);
    const found = same ?? known[0];

    return found ? [{ name, found, matches: same !== undefined }] : [];
  });
};

/** Types of expressions: sets of kinds, from JSON Schema and CEL. */
import { isJsonObject, ownMember, type Json, type JsonObject } from "@/lib/json";

/** Names of CEL's types. */
export type Kind = string;

export type Type = {
  /** Null: any. */
  readonly kinds: readonly Kind[] | null;
  readonly element?: Type;
  readonly members?: Readonly<Record<string, Type>>;
  /** Type of other members; null: none. Absent: any. */
  readonly rest?: Type | null;
  /** Every possible value. */
  readonly values?: readonly Json[];
  /** Bounds of a number, inclusive. */
  readonly least?: number;
  readonly most?: number;
};

export const ANY: Type = { kinds: null };
export const BOOL: Type = { kinds: ["bool"] };
export const ofKind = (kind: Kind): Type => ({ kinds: [kind] });
export const constant = (value: Json, kind: Kind): Type => ({ kinds: [kind], values: [value] });

const NUMBERS: readonly Kind[] = ["int", "uint", "double"];

/** Numbers of all kinds compare. */
const comparable = (kind: Kind): Kind => (NUMBERS.includes(kind) ? "number" : kind);

export const isNumber = (type: Type): boolean => type.kinds !== null && type.kinds.every((kind) => NUMBERS.includes(kind));

/** Returns whether a value can have both types. */
export const overlaps = (a: Type, b: Type): boolean => {
  if (a.kinds === null || b.kinds === null) return true;
  const kinds = b.kinds.map(comparable);
  if (!a.kinds.some((kind) => kinds.includes(comparable(kind)))) return false;
  if (a.values && b.values) return a.values.some((value) => b.values?.some((other) => JSON.stringify(other) === JSON.stringify(value)));

  return !isNumber(a) || !isNumber(b) || ((a.least ?? -Infinity) <= (b.most ?? Infinity) && (b.least ?? -Infinity) <= (a.most ?? Infinity));
};

const joinMembers = (a: Type, b: Type): Pick<Type, "members" | "rest"> => {
  if (!a.kinds?.includes("map")) return b;
  if (!b.kinds?.includes("map")) return a;
  const names = new Set([...Object.keys(a.members ?? {}), ...Object.keys(b.members ?? {})]);
  const members = Object.fromEntries([...names].map((name) => [name, union(findMember(a, name) ?? NEVER, findMember(b, name) ?? NEVER)]));
  if (a.rest === null && b.rest === null) return { members, rest: null };

  return { members };
};

const NEVER: Type = { kinds: [] };

export const union = (a: Type, b: Type): Type => {
  if (a.kinds?.length === 0) return b;
  if (b.kinds?.length === 0) return a;
  if (a.kinds === null || b.kinds === null) return ANY;
  const { members, rest } = joinMembers(a, b);
  const lists = [a, b].filter((type) => type.kinds?.includes("list"));
  const element = lists.map((type) => type.element ?? ANY).reduce((joined, type) => union(joined, type), NEVER);

  return {
    kinds: [...new Set([...a.kinds, ...b.kinds])],
    ...(lists.length > 0 ? { element } : {}),
    ...(members ? { members } : {}),
    ...(rest === undefined ? {} : { rest }),
    ...(a.values && b.values ? { values: [...a.values, ...b.values] } : {}),
  };
};

/** Returns a member's type, or null. */
export const findMember = ({ kinds, members, rest = ANY }: Type, name: string): Type | null =>
  kinds === null ? ANY : ((members && Object.hasOwn(members, name) ? members[name] : undefined) ?? rest);

const KINDS: Readonly<Record<string, Kind>> = {
  string: "string",
  boolean: "bool",
  integer: "int",
  number: "double",
  null: "null_type",
  array: "list",
  object: "map",
};

export const SCHEMA_TYPES = Object.keys(KINDS);

export const listUnknownTypes = (schema: Json | undefined): readonly string[] => {
  if (Array.isArray(schema)) return schema.flatMap(listUnknownTypes);
  if (!isJsonObject(schema)) return [];
  const { properties, $defs, patternProperties, const: _value, enum: _values, default: _initial, examples: _shown, ...rest } = schema;
  const members = [properties, $defs, patternProperties].flatMap((named) => (isJsonObject(named) ? Object.values(named) : []));

  return [
    ...[rest["type"] ?? []]
      .flat()
      .flatMap((name) => (typeof name === "string" && Object.hasOwn(KINDS, name) ? [] : [JSON.stringify(name)])),
    ...[...members, ...Object.values(rest)].flatMap(listUnknownTypes),
  ];
};

const kindOfValue = (value: Json): Kind => {
  if (value === null) return "null_type";
  if (Array.isArray(value)) return "list";

  return { string: "string", boolean: "bool", number: "double", object: "map" }[typeof value as "string"];
};

const asSchema = (value: Json | undefined): Type => (isJsonObject(value) ? typeOfSchema(value) : ANY);

const listNames = (value: Json | undefined): readonly string[] => [value].flat().filter((name): name is string => typeof name === "string");

const bound = (schema: JsonObject, name: string): number | undefined => {
  const value = ownMember(schema, name);

  return typeof value === "number" ? value : undefined;
};

const membersOf = (schema: JsonObject): Pick<Type, "members" | "rest"> => {
  const properties = ownMember(schema, "properties");
  const other = ownMember(schema, "additionalProperties") ?? ownMember(schema, "unevaluatedProperties");
  if (ownMember(schema, "patternProperties") !== undefined) return {};
  // A key's schema that lists properties is closed (lib/graph/json-schema).
  const rest = other === false || (other === undefined && properties !== undefined) ? null : asSchema(other);

  return {
    members: isJsonObject(properties) ? Object.fromEntries(Object.entries(properties).map(([name, one]) => [name, asSchema(one)])) : {},
    rest,
  };
};

const valuesOf = (schema: JsonObject): readonly Json[] | undefined => {
  const [only, several] = [ownMember(schema, "const"), ownMember(schema, "enum")];
  if (only !== undefined) return [only];

  return Array.isArray(several) ? several : undefined;
};

/** Returns the type of a schema's values; any if it uses unread keywords. */
export const typeOfSchema = (schema: JsonObject): Type => {
  if (["$ref", "$dynamicRef", "allOf", "not", "if"].some((name) => ownMember(schema, name) !== undefined)) return ANY;
  const choices = ownMember(schema, "anyOf") ?? ownMember(schema, "oneOf");
  const values = valuesOf(schema);
  const names = listNames(ownMember(schema, "type"));
  if (Array.isArray(choices)) return names.length === 0 && !values ? choices.map(asSchema).reduce(union, NEVER) : ANY;
  if (names.length === 0 && !values) return ANY;
  // `"integer"` beside `"number"` says nothing.
  const declared = (names.includes("number") ? names.filter((name) => name !== "integer") : names).map((name) => KINDS[name] ?? name);
  const kinds = names.length > 0 ? declared : [...new Set((values ?? []).map(kindOfValue))];
  const [least, most] = [
    bound(schema, "minimum") ?? bound(schema, "exclusiveMinimum"),
    bound(schema, "maximum") ?? bound(schema, "exclusiveMaximum"),
  ];

  return {
    kinds,
    ...(kinds.includes("list") && ownMember(schema, "prefixItems") === undefined ? { element: asSchema(ownMember(schema, "items")) } : {}),
    ...(kinds.includes("map") ? membersOf(schema) : {}),
    ...(values ? { values } : {}),
    ...(least === undefined ? {} : { least }),
    ...(most === undefined ? {} : { most }),
  };
};

const NOUNS: Readonly<Record<Kind, string>> = {
  int: "an integer",
  uint: "an unsigned integer",
  double: "a number",
  string: "text",
  bool: "true or false",
  null_type: "null",
  list: "a list",
  map: "an object",
};

/** Names a type in a sentence. */
export const nameType = ({ kinds }: Type): string => (kinds ?? []).map((kind) => NOUNS[kind] ?? kind).join(" or ") || "any value";

import { findSchemaFaults } from "@/lib/graph/json-schema";
import { isJsonObject, jsonSchema, type Json, type JsonObject } from "@/lib/json";
import { listSchemaFields, type SchemaField, type LeafControl } from "./schema-field";
import { describeFault } from "./fault-text";

/** Typed texts by place; invalid ones are kept. */
export type Entered = Readonly<Record<string, string>>;

/** Entered while a file is on its way. */
export const UPLOADING = "uploading";

type Read = { readonly value: Json | undefined; readonly problem: string | null };

const NUMBER = /^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/iu;
const NOTHING: Read = { value: undefined, problem: null };
const wrong = (problem: string): Read => ({ value: undefined, problem });
const read = (value: Json): Read => ({ value, problem: null });

const jsonOf = (text: string): Read => {
  try {
    return read(jsonSchema.parse(JSON.parse(text)));
  } catch {
    return wrong("Enter valid JSON.");
  }
};

/** Formats a choice as JSON, since it may have any type. */
export const describeChoice = (option: Json): string => JSON.stringify(option);

const leafValue = (control: LeafControl, text: string): Read => {
  switch (control.type) {
    case "text":
      return read(text);
    case "boolean":
      return read(text === "true");
    case "integer":
    case "number": {
      const number = NUMBER.test(text.trim()) ? Number(text) : Number.NaN;
      if (!Number.isFinite(number)) return wrong("Enter a number.");

      return control.type === "integer" && !Number.isSafeInteger(number) ? wrong("Enter a whole number.") : read(number);
    }
    case "file":
      return text === UPLOADING ? wrong("The upload is not complete.") : jsonOf(text);
    case "choice":
    case "json":
      return jsonOf(text);
    default:
      return control satisfies never;
  }
};

const itemValue = (control: LeafControl, text: string): Read => {
  const chosen =
    control.type === "choice" ? control.options.find((option) => option === text || describeChoice(option) === text) : undefined;
  if (control.type !== "choice") return leafValue(control, text);

  return chosen === undefined ? wrong(`Choose one of ${control.options.map(String).join(", ")}.`) : read(chosen);
};

const linesOf = (text: string): readonly string[] =>
  text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");

const listValue = (item: LeafControl, text: string): Read => {
  const items = linesOf(text).map((line) => itemValue(item, line));
  const index = items.findIndex(({ problem }) => problem !== null);
  if (index >= 0) return wrong(`Line ${index + 1}: ${items[index]?.problem ?? ""}`);

  return read(items.flatMap(({ value }) => (value === undefined ? [] : [value])));
};

export const getInitialText = ({ control, schema, required }: SchemaField): string => {
  const given = schema["default"];
  if (control.type === "list")
    return Array.isArray(given) ? given.map((item: Json) => (typeof item === "string" ? item : JSON.stringify(item))).join("\n") : "";
  if (control.type === "choice") {
    const first = given ?? (required ? control.options[0] : undefined);

    return first === undefined ? "" : describeChoice(first);
  }
  if (given === undefined) return control.type === "boolean" && required ? "false" : "";

  return typeof given === "string" && control.type === "text" ? given : JSON.stringify(given);
};

type Taken = { readonly value: Json | undefined; readonly problems: ReadonlyMap<string, string> };

const NEEDED = "Required.";

const takeLeaf = (field: SchemaField, entered: Entered): Taken => {
  const { control, place, required } = field;
  const text = entered[place] ?? getInitialText(field);
  if (control.type === "group") return { value: undefined, problems: new Map() };
  const isList = control.type === "list";
  // An empty list is a value, an empty text is none.
  const { value, problem } =
    text.trim() === "" && !(isList && required) ? NOTHING : isList ? listValue(control.item, text) : leafValue(control, text);
  const missing = value === undefined && problem === null && required ? NEEDED : null;
  const found = problem ?? missing;

  return { value, problems: found === null ? new Map() : new Map([[place, found]]) };
};

/** An empty optional group is omitted with its required fields. */
const takeGroup = (fields: readonly SchemaField[], required: boolean, entered: Entered): Taken => {
  const taken = fields.map((field) => [field.name, take(field, entered)] as const);
  const isEmpty = taken.every(([, { value }]) => value === undefined);
  const isTouched = fields.some((field) => isTyped(field, entered));
  if (isEmpty && !required && !isTouched) return { value: undefined, problems: new Map() };

  return {
    value: Object.fromEntries(taken.flatMap(([name, { value }]) => (value === undefined ? [] : [[name, value]]))),
    problems: new Map(taken.flatMap(([, { problems }]) => [...problems])),
  };
};

const isTyped = ({ control, place }: SchemaField, entered: Entered): boolean =>
  control.type === "group" ? control.fields.some((field) => isTyped(field, entered)) : (entered[place] ?? "").trim() !== "";

const take = (field: SchemaField, entered: Entered): Taken =>
  field.control.type === "group" ? takeGroup(field.control.fields, field.required, entered) : takeLeaf(field, entered);

export const listLeaves = (fields: readonly SchemaField[]): readonly SchemaField[] =>
  fields.flatMap((field) => (field.control.type === "group" ? listLeaves(field.control.fields) : [field]));

const WHOLE: SchemaField = {
  name: "inputs",
  place: "#",
  label: "Inputs",
  description: null,
  required: false,
  schema: {},
  control: { type: "json" },
};

const wholeInputs = (schema: JsonObject, entered: Entered): Inputs => {
  const text = (entered[WHOLE.place] ?? "").trim();
  const { value = {}, problem } = text === "" ? NOTHING : jsonOf(text);
  const isObject = isJsonObject(value);
  const misfit = problem === null && isObject && findSchemaFaults(schema, value).length > 0;
  const found = problem ?? (isObject ? (misfit ? describeFault(schema, value) : null) : "Enter a JSON object.");

  return { value: isObject ? value : {}, problems: found === null ? new Map() : new Map([[WHOLE.place, found]]), misfit: false };
};

export type Inputs = {
  readonly value: JsonObject;
  readonly problems: ReadonlyMap<string, string>;
  /** Each field fits, but the inputs do not. */
  readonly misfit: boolean;
};

export const readForm = (schema: JsonObject, entered: Entered): Inputs & { readonly fields: readonly SchemaField[] } => {
  const fields = listSchemaFields(schema);

  return fields === null ? { fields: [WHOLE], ...wholeInputs(schema, entered) } : { fields, ...inputsOf(schema, fields, entered) };
};

/** The engine's check decides; this locates its field. */
const inputsOf = (schema: JsonObject, fields: readonly SchemaField[], entered: Entered): Inputs => {
  const { value, problems } = takeGroup(fields, true, entered);
  const inputs = (value ?? {}) as JsonObject;
  const faults = findSchemaFaults(schema, inputs, true);
  const found = listLeaves(fields).flatMap((field): [string, string][] => {
    const own = faults.filter((fault) => fault === field.place || fault.startsWith(`${field.place}/`));

    return own.length === 0 || problems.has(field.place) ? [] : [[field.place, describeFault(field.schema, valueAt(inputs, field.place))]];
  });

  const all = new Map([...problems, ...found]);

  return { value: inputs, problems: all, misfit: faults.length > 0 && all.size === 0 };
};

const valueAt = (inputs: Json, place: string): Json | undefined =>
  place
    .split("/")
    .slice(1)
    .map((name) => decodeURI(name).replaceAll("~1", "/").replaceAll("~0", "~"))
    .reduce<Json | undefined>(
      (value, name) => (typeof value === "object" && value !== null && !Array.isArray(value) ? (value as JsonObject)[name] : undefined),
      inputs,
    );

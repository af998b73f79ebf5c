import { variableNameSchema, type Variables } from "@/lib/environments/variables";

export const VARIABLE_TYPES = ["text", "number", "boolean"] as const;
export type VariableType = (typeof VARIABLE_TYPES)[number];

export type VariableRow = { readonly key: number; readonly name: string; readonly type: VariableType; readonly text: string };

const typeOf = (value: Variables[string]): VariableType =>
  typeof value === "string" ? "text" : typeof value === "number" ? "number" : "boolean";

export const toRows = (variables: Variables): readonly VariableRow[] =>
  Object.entries(variables)
    .toSorted(([a], [b]) => a.localeCompare(b))
    .map(([name, value], key) => ({ key, name, type: typeOf(value), text: String(value) }));

const readValue = ({ type, text }: VariableRow): Variables[string] | null => {
  if (type === "text") return text;
  if (type === "boolean") return text === "true";
  const number = Number(text);

  return text.trim() === "" || !Number.isFinite(number) ? null : number;
};

const findNameFault = ({ key, name }: VariableRow, rows: readonly VariableRow[]): string | null => {
  if (rows.some((other) => other.key < key && other.name === name)) return "Another variable has this name.";
  const { error } = variableNameSchema.safeParse(name);

  return error?.issues[0]?.message ?? null;
};

export type RowFaults = { readonly name: string | null; readonly value: string | null };

export const findFaults = (row: VariableRow, rows: readonly VariableRow[]): RowFaults => ({
  name: findNameFault(row, rows),
  value: readValue(row) === null ? "Enter a number." : null,
});

/** Null: some row is faulty. */
export const toVariables = (rows: readonly VariableRow[]): Variables | null => {
  const entries = rows.map((row) => [row.name, readValue(row)] as const);
  const isFaulty = rows.some((row) => Object.values(findFaults(row, rows)).some((fault) => fault !== null));

  return isFaulty ? null : Object.fromEntries(entries.flatMap(([name, value]) => (value === null ? [] : [[name, value] as const])));
};

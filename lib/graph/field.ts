/** Config field metadata for forms, reference pages and JSON Schema. */
import { z } from "zod";

/** Editor, where the type alone does not determine one. */
export type Widget =
  | "agent"
  | "own_agent"
  | "group"
  | "node"
  | "path"
  | "list_path"
  | "topic"
  | "expression"
  | "code"
  | "prose"
  | "schema"
  | "json";

type Siblings = Readonly<Record<string, unknown>>;

export type FieldMeta = {
  readonly title: string;
  /** Help: shown below the field and in the reference. */
  readonly description?: string;
  readonly widget?: Widget;
  readonly rows?: number;
  /** What an absent value means, as a choice. */
  readonly none?: string;
  readonly choices?: Readonly<Record<string, string>>;
  /** Nodes to choose from. Absent: all. */
  readonly nodes?: "workers" | "cases";
  /** Collapsed section that holds the field. */
  readonly section?: string;
  /** The form shows multiples of `size`. */
  readonly unit?: { readonly name: string; readonly size: number };
  /** Absent: always shown. Hidden fields are dropped unless they have defaults. */
  readonly when?: (siblings: Siblings) => boolean;
  /** Upper bound that depends on other fields. */
  readonly atMost?: (siblings: Siblings) => number;
  /** Value of a new field. @param path the first declared one */
  readonly initial?: (path: string, siblings: Siblings) => unknown;
  /** New objects have this optional field. */
  readonly isPreset?: true;
  /** Singular noun of an entry, for its buttons. */
  readonly noun?: string;
  readonly suggestions?: readonly string[];
};

/** Not the global registry: labels must change neither prompts nor the rules' digest. */
export const FIELDS = z.registry<FieldMeta>();

export const field = <S extends z.ZodType>(schema: S, meta: FieldMeta): S => {
  const own = schema.clone();
  FIELDS.add(own, meta);

  return own;
};

export type FormField = {
  readonly name: string;
  readonly meta: FieldMeta;
  /** Without wrappers for absent values. */
  readonly inner: z.ZodType;
  readonly schema: z.ZodType;
  readonly isOptional: boolean;
};

const unwrap = (schema: z.ZodType): z.ZodType =>
  schema instanceof z.ZodOptional || schema instanceof z.ZodDefault || schema instanceof z.ZodPrefault
    ? unwrap(schema.unwrap() as z.ZodType)
    : schema;

export const listFields = ({ shape }: z.ZodObject): readonly FormField[] =>
  Object.entries(shape as Readonly<Record<string, z.ZodType>>).flatMap(([name, schema]) => {
    const meta = FIELDS.get(schema);

    return meta ? [{ name, meta, schema, inner: unwrap(schema), isOptional: schema instanceof z.ZodOptional }] : [];
  });

export const listVariants = (union: z.ZodUnion): readonly z.ZodObject[] => union.options.filter((option) => option instanceof z.ZodObject);

/** Refuses numbers above sibling-dependent bounds, as the form does. */
const checkBounds = (siblings: Siblings, context: z.RefinementCtx, fields: readonly FormField[]): void => {
  for (const { name, meta } of fields) {
    const most = meta.when?.(siblings) === false ? undefined : meta.atMost?.(siblings);
    if (most !== undefined && Number(siblings[name]) > most) {
      context.addIssue({ code: "custom", path: [name], message: `must be at most ${most}` });
    }
  }
};

/** Adds the bounds that `atMost` states. */
export const withBounds = <S extends z.ZodObject>(object: S): S => {
  const fields = listFields(object);

  return object.superRefine((value, context) => checkBounds(value, context, fields));
};

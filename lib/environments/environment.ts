import { z } from "zod";
import { idSchema } from "@/lib/ids";

export const MOST_ENVIRONMENTS = 10;
const MOST_VARIABLES = 100;
const MAX_VARIABLE_CHARS = 2_000;

/** Its id appears in records; its title may change. */
export const environmentSchema = z.strictObject({ id: idSchema, title: z.string().trim().min(1).max(60) });
export type Environment = z.infer<typeof environmentSchema>;

/** In order of promotion: versions are published into the first, and runs start in the last. */
export const environmentsSchema = z.array(environmentSchema).min(1).max(MOST_ENVIRONMENTS);

export const DEFAULT_ENVIRONMENTS: readonly Environment[] = [{ id: "production", title: "Production" }];

export const variableNameSchema = z
  .string()
  .regex(/^[A-Z][A-Z0-9_]{0,49}$/, "Use up to 50 capital letters, digits or underscores, and begin with a letter.");

const variableSchema = z.union([
  z
    .string()
    .max(MAX_VARIABLE_CHARS)
    .refine((text) => text.isWellFormed(), "The text is not valid Unicode."),
  z.number().min(-Number.MAX_SAFE_INTEGER).max(Number.MAX_SAFE_INTEGER),
  z.boolean(),
]);

export const variablesSchema = z
  .record(variableNameSchema, variableSchema)
  .refine((variables) => Object.keys(variables).length <= MOST_VARIABLES, `An environment has at most ${MOST_VARIABLES} variables.`);
export type Variables = Readonly<Record<string, string | number | boolean>>;

/** `id`: absent while a workspace has only the default environment. */
export type RunEnvironment = { readonly id?: string; readonly variables: Variables };

export const getFirst = (environments: readonly Environment[]): string => environments[0]?.id ?? "";

export const getLast = (environments: readonly Environment[]): string => environments.at(-1)?.id ?? "";

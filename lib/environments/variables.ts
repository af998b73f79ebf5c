import { z } from "zod";

const MOST_VARIABLES = 100;
const MAX_VARIABLE_CHARS = 2_000;

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
export type RunEnvironment = {
  readonly id?: string;
  readonly variables: Variables;
  readonly missingSecrets?: readonly string[];
};

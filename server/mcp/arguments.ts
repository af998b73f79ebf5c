/** JSON Schema validation without backtracking. */
import type { CallToolResult, jsonSchemaValidator } from "@modelcontextprotocol/client";
import { matchesSchema } from "@/lib/graph/json-schema";
import { toPlainJson, type JsonObject } from "@/lib/json";
import { RESULT_LIMITS } from "./limits";

/** Matches arguments; unevaluable schemas match nothing. */
export const matchesArguments = (inputSchema: JsonObject, value: JsonObject): boolean => matchesSchema(inputSchema, value, false);

/** Checks a successful answer. */
export const matchesOutput = (
  outputSchema: unknown,
  { structuredContent, isError }: Pick<CallToolResult, "structuredContent" | "isError">,
): boolean => {
  if (outputSchema === undefined || isError === true) return true;

  return structuredContent !== undefined && outputValidator.getValidator(outputSchema as never)(structuredContent).valid;
};

export const outputValidator: jsonSchemaValidator = {
  getValidator: (schema) => (input) => {
    const form = toPlainJson(schema, RESULT_LIMITS);
    const plain = toPlainJson(input, RESULT_LIMITS);
    // `getOutcome` refuses other answers.
    const matches = !plain.ok || (form.ok && matchesSchema(form.value as JsonObject, plain.value, false));

    return matches
      ? { valid: true, data: input as never, errorMessage: undefined }
      : { valid: false, data: undefined, errorMessage: "does not match" };
  },
};

/** Validation with a server's own JSON Schemas; neither use runs a backtracking pattern. */
import type { CallToolResult, jsonSchemaValidator } from "@modelcontextprotocol/client";
import { matchesSchema } from "@/lib/graph/json-schema";
import { toPlainJson, type JsonObject } from "@/lib/json";
import { RESULT_LIMITS } from "./limits";

/** Matches arguments against a reviewed input schema; an unevaluable schema matches nothing. */
export const matchesArguments = (inputSchema: JsonObject, value: JsonObject): boolean => matchesSchema(inputSchema, value, false);

/** Checks a successful answer against the reviewed output schema. */
export const matchesOutput = (
  outputSchema: unknown,
  { structuredContent, isError }: Pick<CallToolResult, "structuredContent" | "isError">,
): boolean => {
  if (outputSchema === undefined || isError === true) return true;

  return structuredContent !== undefined && outputValidator.getValidator(outputSchema as never)(structuredContent).valid;
};

/** The MCP client's validator of structured answers. */
export const outputValidator: jsonSchemaValidator = {
  getValidator: (schema) => (input) => {
    const form = toPlainJson(schema, RESULT_LIMITS);
    const plain = toPlainJson(input, RESULT_LIMITS);
    // Answers that are not plain JSON are refused by `getOutcome`.
    const matches = !plain.ok || (form.ok && matchesSchema(form.value as JsonObject, plain.value, false));

    return matches
      ? { valid: true, data: input as never, errorMessage: undefined }
      : { valid: false, data: undefined, errorMessage: "does not match" };
  },
};

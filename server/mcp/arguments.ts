/** The two ways in which a server's own JSON Schemas are used. Neither runs a pattern that backtracks. */
import type { CallToolResult, jsonSchemaValidator } from "@modelcontextprotocol/client";
import { matchesSchema } from "@/lib/graph/json-schema";
import { plainJson, type JsonObject } from "@/lib/json";
import { RESULT_LIMITS } from "./limits";

/** Whether arguments match a reviewed input schema. A schema that cannot be evaluated matches nothing. */
export const argumentsMatch = (inputSchema: JsonObject, value: JsonObject): boolean => matchesSchema(inputSchema, value, false);

/** Whether an answer that is no error has the content that its tool's reviewed definition promises. */
export const outputMatches = (
  outputSchema: unknown,
  { structuredContent, isError }: Pick<CallToolResult, "structuredContent" | "isError">,
): boolean => {
  if (outputSchema === undefined || isError === true) return true;

  return structuredContent !== undefined && outputValidator.getValidator(outputSchema as never)(structuredContent).valid;
};

/** What the MCP client checks structured answers with. */
export const outputValidator: jsonSchemaValidator = {
  getValidator: (schema) => (input) => {
    const form = plainJson(schema, RESULT_LIMITS);
    const plain = plainJson(input, RESULT_LIMITS);
    // An answer that is no plain JSON is refused for that, by `outcomeOf`.
    const matches = !plain.ok || (form.ok && matchesSchema(form.value as JsonObject, plain.value, false));

    return matches
      ? { valid: true, data: input as never, errorMessage: undefined }
      : { valid: false, data: undefined, errorMessage: "does not match" };
  },
};

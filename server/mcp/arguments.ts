import { Validator } from "@cfworker/json-schema";
import type { JsonObject } from "@/lib/json";

/** Whether arguments match a reviewed input schema. A schema that cannot be evaluated matches nothing. */
export const argumentsMatch = (inputSchema: JsonObject, value: JsonObject): boolean => {
  try {
    return new Validator(inputSchema, "2020-12", true).validate(value).valid;
  } catch {
    return false;
  }
};

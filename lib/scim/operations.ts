import { MOST_OPERATIONS } from "@/lib/people/provision-command";
import { badRequest, ScimError } from "./error";

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

export type Operation = { readonly op: "add" | "remove" | "replace"; readonly path: string | null; readonly value: unknown };

const memberOf = (object: Record<string, unknown>, name: string): unknown =>
  Object.entries(object).find(([key]) => key.toLowerCase() === name)?.[1];

const readOperation = (value: unknown): Operation => {
  if (!isObject(value)) throw badRequest("invalidSyntax", "Each operation must be an object.");
  const op = memberOf(value, "op");
  const path = memberOf(value, "path");
  const verb = typeof op === "string" ? op.toLowerCase() : "";
  if (verb !== "add" && verb !== "remove" && verb !== "replace") throw badRequest("invalidSyntax", "op must be add, remove or replace.");
  if (path !== undefined && path !== null && typeof path !== "string") throw badRequest("invalidPath", "path must be a string.");

  return { op: verb, path: typeof path === "string" && path !== "" ? path : null, value: memberOf(value, "value") ?? null };
};

export const readOperations = (body: unknown): readonly Operation[] => {
  const operations = isObject(body) ? memberOf(body, "operations") : null;
  if (!Array.isArray(operations) || operations.length === 0) throw badRequest("invalidSyntax", "Operations must be a list.");
  if (operations.length > MOST_OPERATIONS) throw new ScimError(413, "tooMany", `Send at most ${MOST_OPERATIONS} operations.`);

  return operations.map(readOperation);
};

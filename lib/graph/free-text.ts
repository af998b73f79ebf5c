import type { GraphNode, PinnedTool } from "@/lib/graph/document";
import { callsTool } from "@/lib/graph/kind-of";
import { isJsonObject, ownMember, type Json } from "@/lib/json";

/** Enough for codes, too short for a message. */
const MOST_CHARACTERS = 16;
const MOST_ITEMS = 16;
const MOST_DEPTH = 16;

/** Fractions of seconds are unbounded. */
const SHORT_FORMATS: readonly unknown[] = ["date", "uuid", "ipv4"];

const isAtMost = (value: Json | undefined, most: number): boolean => typeof value === "number" && value <= most;

const isTypeBounded = (type: string, schema: Json, depth: number): boolean => {
  switch (type) {
    case "null":
    case "boolean":
    case "integer":
    case "number":
      return true;
    case "string":
      return isAtMost(ownMember(schema, "maxLength"), MOST_CHARACTERS) || SHORT_FORMATS.includes(ownMember(schema, "format"));
    case "array":
      return (
        isAtMost(ownMember(schema, "maxItems"), MOST_ITEMS) &&
        ownMember(schema, "prefixItems") === undefined &&
        isBounded(ownMember(schema, "items"), depth)
      );
    case "object":
      return (
        ownMember(schema, "additionalProperties") === false &&
        ownMember(schema, "patternProperties") === undefined &&
        Object.values(ownMember(schema, "properties") ?? {}).every((member) => isBounded(member, depth))
      );
    default:
      return false;
  }
};

/** References and patterns do not count as bounds. */
const isBounded = (schema: Json | undefined, depth: number): boolean => {
  if (schema === undefined || !isJsonObject(schema) || depth >= MOST_DEPTH) return false;
  if (Array.isArray(schema["enum"]) || Object.hasOwn(schema, "const")) return true;
  const branches = schema["anyOf"] ?? schema["oneOf"];
  if (Array.isArray(branches) && branches.every((branch) => isBounded(branch, depth + 1))) return true;
  const types = [schema["type"] ?? null].flat();

  return types.length > 0 && types.every((type) => typeof type === "string" && isTypeBounded(type, schema, depth + 1));
};

/**
 * Returns whether values can carry free text. Bounded are constants, numbers, booleans, null, strings (at most 16 characters, or `date`,
 * `uuid`, `ipv4`), and lists, closed objects and alternatives of these.
 */
export const describeAdmitsFree = (schema: Json): boolean => !isBounded(schema, 0);

/** Returns whether a call carries free text beyond the graph's. */
export const describeTakesFree = (node: GraphNode, tool: Pick<PinnedTool, "input_schema">): boolean =>
  callsTool(node)
    ? Object.entries(node.config.arguments).some(
        ([name, argument]) =>
          !("value" in argument) && describeAdmitsFree(ownMember(ownMember(tool.input_schema, "properties"), name) ?? {}),
      )
    : describeAdmitsFree(tool.input_schema);

import { isSpecType, type Tool } from "@modelcontextprotocol/client";
import { computeDefinitionDigest, toolDefinitionSchema, type ToolDefinition } from "@/lib/mcp/definition";
import type { UnusableReason, UnusableTool } from "@/lib/mcp/unusable-tool";
import { toolNameSchema } from "@/lib/graph/tool-ref";
import { countJsonBytes, toPlainJson, type JsonFault } from "@/lib/json";
import { err, ok, type Result } from "@/lib/result";
import { terminalText } from "@/lib/terminal-text.mjs";
import type { Catalog, CatalogTool } from "./catalog";
import { hasNul } from "./json-strings";
import { DEFINITION_LIMITS, MCP_LIMITS } from "./limits";
import { redactJson, redactText } from "./redact";

export type Listed = {
  readonly catalog: Catalog;
  /** Never called; their appearance is no drift. */
  readonly unusable: readonly UnusableTool[];
  /** As the client needs them for a call. */
  readonly raw: ReadonlyMap<string, Tool>;
};

const FAULTS = {
  value_too_large: "too_large",
  value_too_deep: "too_deep",
  not_plain_json: "not_plain_json",
} as const satisfies Record<JsonFault, UnusableReason>;

type Read = { readonly tool: Tool; readonly definition: ToolDefinition; readonly bytes: number };

const readTool = (tool: unknown, secrets: readonly string[]): Result<Read, UnusableReason> => {
  if (!isSpecType.Tool(tool)) return err("schema_invalid");
  if (!toolNameSchema.safeParse(tool.name).success) return err("name_invalid");
  const plain = toPlainJson(
    {
      name: tool.name,
      title: tool.title ?? null,
      description: tool.description ?? "",
      input_schema: tool.inputSchema,
      output_schema: tool.outputSchema ?? null,
      annotations: tool.annotations ?? null,
    },
    DEFINITION_LIMITS,
  );
  if (!plain.ok) return err(FAULTS[plain.error]);
  if (hasNul(plain.value)) return err("not_plain_json");
  const parsed = toolDefinitionSchema.safeParse(redactJson(plain.value, secrets));

  return parsed.success ? ok({ tool, definition: parsed.data, bytes: countJsonBytes(plain.value) }) : err("text_too_long");
};

const MAX_NAME_CHARS = 200;

/** A name as text for the page, whatever the server sent. */
const nameOf = (said: unknown, secrets: readonly string[]): string => {
  const name: unknown = typeof said === "object" && said !== null && "name" in said ? said.name : null;
  if (typeof name !== "string" || !name.isWellFormed()) return "(no name)";

  return terminalText(redactText(name.slice(0, MAX_NAME_CHARS), secrets)).slice(0, MAX_NAME_CHARS);
};

/** Converts tools/list answers; a bad tool takes no other with it. @param secrets redacted */
export const buildCatalog = (said: readonly unknown[], secrets: readonly string[] = []): Result<Listed, "too_many_tools"> => {
  if (said.length > MCP_LIMITS.maxTools) return err("too_many_tools");
  const catalog = new Map<string, CatalogTool>();
  const raw = new Map<string, Tool>();
  const unusable: UnusableTool[] = [];
  let bytes = 0;
  for (const each of said) {
    const refuse = (reason: UnusableReason) => unusable.push({ name: nameOf(each, secrets), reason });
    const read = readTool(each, secrets);
    if (!read.ok) {
      refuse(read.error);
      continue;
    }
    const { tool, definition } = read.value;
    bytes += read.value.bytes;
    if (bytes > MCP_LIMITS.maxCatalogBytes) refuse("list_too_large");
    else if (raw.has(tool.name)) {
      // Which one would be called is the server's choice.
      if (catalog.delete(tool.name)) refuse("listed_twice");
    } else {
      catalog.set(tool.name, { definition, digest: computeDefinitionDigest(definition) });
      raw.set(tool.name, tool);
    }
  }

  return ok({ catalog, unusable, raw });
};

import type { Tool } from "@modelcontextprotocol/client";
import { computeDefinitionDigest, toolDefinitionSchema, type ToolDefinition } from "@/lib/mcp/definition";
import type { HexDigest } from "@/lib/hash";
import { toPlainJson } from "@/lib/json";
import { err, ok, type Result } from "@/lib/result";
import { hasNul } from "./json-strings";
import { DEFINITION_LIMITS, MCP_LIMITS } from "./limits";
import { redactJson } from "./redact";

export type CatalogTool = { readonly definition: ToolDefinition; readonly digest: HexDigest };
export type Catalog = ReadonlyMap<string, CatalogTool>;

/** Refused whole: a part was never reviewed. */
export type CatalogFault = "too_many_tools" | "tool_malformed" | "tool_twice";

const definitionOf = (tool: Tool, secrets: readonly string[]): ToolDefinition | null => {
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
  if (!plain.ok || hasNul(plain.value)) return null;
  const parsed = toolDefinitionSchema.safeParse(redactJson(plain.value, secrets));

  return parsed.success ? parsed.data : null;
};

/** Converts a tools/list answer. @param secrets redacted */
export const buildCatalog = (tools: readonly Tool[], secrets: readonly string[] = []): Result<Catalog, CatalogFault> => {
  if (tools.length > MCP_LIMITS.maxTools) return err("too_many_tools");
  const catalog = new Map<string, CatalogTool>();
  for (const tool of tools) {
    const definition = definitionOf(tool, secrets);
    if (!definition) return err("tool_malformed");
    if (catalog.has(definition.name)) return err("tool_twice");
    catalog.set(definition.name, { definition, digest: computeDefinitionDigest(definition) });
  }

  return ok(catalog);
};

/** Returns digests by tool name. */
export const computeDigests = (catalog: Catalog): ReadonlyMap<string, HexDigest> =>
  new Map([...catalog].map(([name, tool]) => [name, tool.digest]));

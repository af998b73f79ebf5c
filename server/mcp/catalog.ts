import type { HexDigest } from "@/lib/hash";
import type { ToolDefinition } from "@/lib/mcp/definition";

export type CatalogTool = { readonly definition: ToolDefinition; readonly digest: HexDigest };
export type Catalog = ReadonlyMap<string, CatalogTool>;

export const computeDigests = (catalog: Catalog): ReadonlyMap<string, HexDigest> =>
  new Map([...catalog].map(([name, tool]) => [name, tool.digest]));

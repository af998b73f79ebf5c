import { listAccessSecrets, type McpAccess } from "@/lib/mcp/access";
import { listManifestSecrets } from "@/lib/mcp/program";
import type { McpTransport } from "@/lib/mcp/transport";

type Way = { readonly access: McpAccess; readonly transport: McpTransport | null };

export const listSecretNames = ({ access, transport }: Way): readonly string[] => [
  ...listAccessSecrets(access),
  ...(transport?.type === "stdio" ? listManifestSecrets(transport.manifest) : []),
];

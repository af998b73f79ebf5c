import { AppError } from "@/lib/errors";
import { toCanonicalJson } from "@/lib/json";
import { listAccessSecrets, type McpAccess } from "@/lib/mcp/access";
import { listManifestSecrets } from "@/lib/mcp/program";
import type { McpTransport } from "@/lib/mcp/transport";
import { canReferTo } from "@/lib/secrets/reference";

export type ReadSecret = {
  /** @returns null when missing or unopenable */
  readonly open: (workspace: string, name: string) => Promise<string | null>;
  /** Changes with any of them. */
  readonly version: (workspace: string, names: readonly string[]) => Promise<string>;
};

export type Way = { readonly workspace: string; readonly server: string; readonly transport: McpTransport; readonly access: McpAccess };

const namesOf = ({ access, transport }: Way): readonly string[] => [
  ...listAccessSecrets(access),
  ...(transport.type === "stdio" ? listManifestSecrets(transport.manifest) : []),
];

/** Fingerprint of a connection's inputs. */
export const openTransport = async (way: Way, secrets: ReadSecret): Promise<string> => {
  const names = namesOf(way);
  const versions = names.length === 0 ? "" : await secrets.version(way.workspace, names);

  return `${toCanonicalJson({ transport: way.transport, access: way.access })}${versions}`;
};

export type OpenedSecrets = Readonly<Record<string, string>>;

export const createMissingSecret = (name: string): AppError =>
  new AppError("server_unreachable", { message: `The secret ${name} is missing or does not open.` });

/** Opens the referenced secrets. @throws AppError("server_unreachable") naming the secret */
export const openSecrets = async (way: Way, secrets: ReadSecret): Promise<OpenedSecrets> => {
  const opened: Record<string, string> = {};
  for (const name of namesOf(way)) {
    const value = canReferTo("mcp", way.server, name) ? await secrets.open(way.workspace, name) : null;
    if (value === null) throw createMissingSecret(name);
    opened[name] = value;
  }

  return opened;
};

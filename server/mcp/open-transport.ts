import { AppError } from "@/lib/errors";
import { toCanonicalJson } from "@/lib/json";
import type { McpAccess } from "@/lib/mcp/access";
import { listSecretNames } from "@/lib/mcp/secret-names";
import type { McpTransport } from "@/lib/mcp/transport";
import { canReferTo } from "@/lib/secrets/reference";

export type ReadSecret = {
  /** @returns null when missing or unopenable */
  readonly open: (workspace: string, name: string, scope: string | null) => Promise<string | null>;
  /** `scope`: the environment, if one of the values is its own. */
  readonly version: (
    workspace: string,
    names: readonly string[],
    environment: string | null,
  ) => Promise<{ readonly text: string; readonly scope: string | null }>;
};

export type Way = { readonly workspace: string; readonly server: string; readonly transport: McpTransport; readonly access: McpAccess };

const NO_VERSIONS = { text: "", scope: null };

/** Fingerprint of a connection's inputs. */
export const openTransport = async (way: Way, secrets: ReadSecret, environment: string | null) => {
  const names = listSecretNames(way);
  const { text, scope } = names.length === 0 ? NO_VERSIONS : await secrets.version(way.workspace, names, environment);

  return { text: `${toCanonicalJson({ transport: way.transport, access: way.access })}${text}`, scope };
};

export type OpenedSecrets = Readonly<Record<string, string>>;

export const createMissingSecret = (name: string): AppError =>
  new AppError("server_unreachable", { message: `The secret ${name} is missing or does not open.` });

/** @throws AppError("server_unreachable") naming the secret */
export const openSecrets = async (way: Way, secrets: ReadSecret, scope: string | null): Promise<OpenedSecrets> => {
  const opened: Record<string, string> = {};
  for (const name of listSecretNames(way)) {
    const value = canReferTo("mcp", way.server, name) ? await secrets.open(way.workspace, name, scope) : null;
    if (value === null) throw createMissingSecret(name);
    opened[name] = value;
  }

  return opened;
};

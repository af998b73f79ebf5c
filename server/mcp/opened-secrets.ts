/** The secrets that a server is reached with, opened for one connection and for no other. */
import { AppError } from "@/lib/errors";
import { canonicalJson } from "@/lib/json";
import { secretsOfAccess, type McpAccess } from "@/lib/mcp/access";
import { secretsOfManifest } from "@/lib/mcp/program";
import type { McpTransport } from "@/lib/mcp/transport";
import { mayReferTo } from "@/lib/secrets/reference";

/** Opens secrets of a workspace by name. */
export type ReadSecret = {
  /** @returns null when there is none, or none that opens */
  readonly open: (workspace: string, name: string) => Promise<string | null>;
  /** Changes whenever one of them is replaced. */
  readonly version: (workspace: string, names: readonly string[]) => Promise<string>;
};

/** One registered server and how it is reached. */
export type Way = { readonly workspace: string; readonly server: string; readonly transport: McpTransport; readonly access: McpAccess };

const namesOf = ({ access, transport }: Way): readonly string[] => [
  ...secretsOfAccess(access),
  ...(transport.type === "stdio" ? secretsOfManifest(transport.manifest) : []),
];

/** What a connection was made with: another text asks for another connection. */
export const wayText = async (way: Way, secrets: ReadSecret): Promise<string> => {
  const names = namesOf(way);
  const versions = names.length === 0 ? "" : await secrets.version(way.workspace, names);

  return `${canonicalJson({ transport: way.transport, access: way.access })}${versions}`;
};

/** Secrets of one way by name, opened. */
export type OpenedSecrets = Readonly<Record<string, string>>;

export const missingSecret = (name: string): AppError =>
  new AppError("server_unreachable", { message: `The secret ${name} is missing or does not open.` });

/** Opens what a way refers to, and nothing else. @throws AppError("server_unreachable") naming the secret */
export const openSecrets = async (way: Way, secrets: ReadSecret): Promise<OpenedSecrets> => {
  const opened: Record<string, string> = {};
  for (const name of namesOf(way)) {
    const value = mayReferTo("mcp", way.server, name) ? await secrets.open(way.workspace, name) : null;
    if (value === null) throw missingSecret(name);
    opened[name] = value;
  }

  return opened;
};

/** One connection per workspace, server, and environment with own secrets. */
import { AppError } from "@/lib/errors";
import { NO_ACCESS, type McpAccess } from "@/lib/mcp/access";
import { isBundledProgram, type BundledProgram } from "@/lib/mcp/bundled-program";
import type { McpTransport } from "@/lib/mcp/transport";
import type { Connection } from "./connection";
import type { Connector, Era } from "./connector";
import { openSecrets, openTransport, type ReadSecret, type Way } from "./open-transport";
import type { Installation } from "./programs/installation";
import { isOffered } from "./programs/launch";

export type Manager = {
  /** @throws AppError egress_blocked, manifest_invalid or server_unreachable */
  readonly open: (way: Omit<Way, "access"> & { readonly access?: McpAccess }, environment?: string | null) => Promise<Connection>;
  readonly evict: (workspace: string, server: string) => Promise<void>;
  readonly close: () => Promise<void>;
};

/** Only one bundled server gets ours. */
export type BundledEnvironments = { readonly customers: () => Readonly<Record<string, string>> };

export type ManagerOptions = {
  readonly installation: Installation;
  readonly environments: BundledEnvironments;
  readonly secrets: ReadSecret;
  readonly isDemo: (workspace: string) => Promise<boolean>;
  readonly connector: Connector;
};

type Held = { readonly transport: string; readonly connection: Promise<Connection> };

const DEMO_BOUNDS = "The demo can use the servers that come with Countersign, and no others.";

/** Allows only bundled servers: the demo's accounts are open. @throws AppError("forbidden") */
export const demandForDemo = (transport: McpTransport): void => {
  if (transport.type !== "stdio" || !isBundledProgram(transport.manifest.program))
    throw new AppError("forbidden", { message: DEMO_BOUNDS });
};

/** This server verifies receipts. */
const isToldAnchor = (transport: McpTransport): boolean =>
  transport.type === "stdio" && transport.manifest.program === ("customers" satisfies BundledProgram);

export const createManager = ({ installation, environments, secrets, isDemo, connector }: ManagerOptions): Manager => {
  const held = new Map<string, Held>();
  /** Spares failed probes. */
  const eras = new Map<string, Era>();

  const start = async (key: string, way: Way, scope: string | null): Promise<Connection> => {
    if (await isDemo(way.workspace)) demandForDemo(way.transport);
    const connection = await connector.open({
      ...way,
      era: eras.get(key) ?? "auto",
      secrets: await openSecrets(way, secrets, scope),
      environment: isToldAnchor(way.transport) ? environments.customers() : {},
    });
    eras.set(key, connection.era);

    return connection;
  };

  const drop = async (key: string): Promise<void> => {
    const old = held.get(key);
    held.delete(key);
    const connection = await old?.connection.catch(() => null);
    await connection?.close();
  };

  return {
    open: async ({ access = NO_ACCESS, ...rest }, environment = null) => {
      const way = { ...rest, access };
      const { workspace, server, transport } = way;
      const fingerprint = await openTransport(way, secrets, environment);
      // Read by scope too: a value stored meanwhile must not reach a connection that others share.
      const key = `${workspace}/${server}/${fingerprint.scope ?? ""}`;
      // A withdrawn or changed program ends.
      const offered = transport.type === "http" || isOffered(transport.manifest, installation) ? "" : " withdrawn";
      const text = `${fingerprint.text}${offered}`;
      const known = held.get(key);
      if (known?.transport === text) {
        const connection = await known.connection.catch(() => null);
        if (connection?.isOpen()) return connection;
      }
      // An earlier caller may have replaced it.
      const current = held.get(key);
      if (current && current !== known && current.transport === text) return current.connection;

      const dropped = drop(key);
      const connection = dropped.then(() => start(key, way, fingerprint.scope));
      held.set(key, { transport: text, connection });

      return connection;
    },
    evict: async (workspace, server) => {
      await Promise.all([...held.keys()].filter((key) => key.startsWith(`${workspace}/${server}/`)).map(drop));
    },
    close: async () => {
      await Promise.all([...held.keys()].map(drop));
      await connector.close();
    },
  };
};

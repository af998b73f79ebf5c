/** At most one connection per workspace and server: opened on first use, replaced after a crash or a changed transport. */
import { NO_ACCESS, type McpAccess } from "@/lib/mcp/access";
import type { McpTransport } from "@/lib/mcp/transport";
import { connect, type ConnectOptions } from "./connect";
import { createConnection, type Connection } from "./connection";
import { wayText, type Way } from "./credentials";

export type Manager = {
  /** @throws AppError egress_blocked, manifest_invalid or server_unreachable */
  readonly open: (workspace: string, server: string, transport: McpTransport, access?: McpAccess) => Promise<Connection>;
  /** Ends the connection, if there is one. */
  readonly evict: (workspace: string, server: string) => Promise<void>;
  readonly close: () => Promise<void>;
};

type Held = { readonly transport: string; readonly connection: Promise<Connection> };

export const createManager = (options: ConnectOptions): Manager => {
  const held = new Map<string, Held>();
  /** Servers that broke on the version probe: remembered, so that each later start costs one attempt. */
  const eras = new Map<string, "auto" | "legacy">();

  const start = async (key: string, way: Way): Promise<Connection> => {
    let announced = false;
    const connected = await connect(way, eras.get(key) ?? "auto", options, () => {
      announced = true;
    });
    eras.set(key, connected.era);
    const takeAnnounced = (): boolean => {
      const before = announced;
      announced = false;

      return before;
    };

    return createConnection(connected, options.clock, takeAnnounced);
  };

  const drop = async (key: string): Promise<void> => {
    const old = held.get(key);
    held.delete(key);
    const connection = await old?.connection.catch(() => null);
    await connection?.close();
  };

  return {
    open: async (workspace, server, transport, access = NO_ACCESS) => {
      const key = `${workspace}/${server}`;
      const way = { workspace, server, transport, access };
      const text = await wayText(way, options.secrets);
      const known = held.get(key);
      if (known?.transport === text) {
        const connection = await known.connection.catch(() => null);
        if (connection?.isOpen()) return connection;
      }
      // Whoever came first has replaced it while this one waited.
      const current = held.get(key);
      if (current && current !== known && current.transport === text) return current.connection;

      const dropped = drop(key);
      const connection = dropped.then(() => start(key, way));
      held.set(key, { transport: text, connection });

      return connection;
    },
    evict: (workspace, server) => drop(`${workspace}/${server}`),
    close: async () => {
      await Promise.all([...held.keys()].map(drop));
    },
  };
};

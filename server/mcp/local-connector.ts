import { connect, type ConnectOptions } from "./connect";
import { createConnection, type ConnectionEvents, type LocalConnection } from "./connection";
import type { Connector, Opening } from "./connector";

/** @throws AppError egress_blocked, manifest_invalid, sandbox_missing or server_unreachable */
export const openLocally = async (
  opening: Opening,
  options: ConnectOptions,
  events: Omit<ConnectionEvents, "takeStale"> = {},
): Promise<LocalConnection> => {
  let isAnnounced = false;
  const connected = await connect(opening, options, () => {
    isAnnounced = true;
  });
  const takeStale = (): boolean => {
    const before = isAnnounced;
    isAnnounced = false;

    return before;
  };

  return createConnection(connected, options.clock, { ...events, takeStale });
};

export const createLocalConnector = (options: ConnectOptions): Connector => ({
  open: (opening, onUpdated) => openLocally(opening, options, onUpdated && { onUpdated }),
  close: async () => undefined,
});

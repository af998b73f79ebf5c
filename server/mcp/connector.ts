/** How a connection to a server is opened: in this process, or in a tool host. */
import type { Connection } from "./connection";
import type { OpenedSecrets, Way } from "./opened-secrets";

/** Whether the version of the protocol is probed, or the server broke on that before. */
export type Era = "auto" | "legacy";

/** All that it takes to connect to one server. */
export type Opening = Way & {
  readonly era: Era;
  readonly secrets: OpenedSecrets;
  /** Variables of the bundled server that needs any. No other server gets a variable of ours. */
  readonly environment: Readonly<Record<string, string>>;
};

export type Connector = {
  /** @throws AppError egress_blocked, manifest_invalid, sandbox_missing or server_unreachable */
  open(opening: Opening): Promise<Connection>;
  close(): Promise<void>;
};

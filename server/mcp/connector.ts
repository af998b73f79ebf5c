/** Opens connections in this process or in a tool host. */
import type { Connection } from "./connection";
import type { OpenedSecrets, Way } from "./open-transport";

/** Whether to probe the protocol version, or the server broke on that before. */
export type Era = "auto" | "legacy";

/** Everything needed to connect to one server. */
export type Opening = Way & {
  readonly era: Era;
  readonly secrets: OpenedSecrets;
  /** Variables of the one bundled server that needs any; no other server gets ours. */
  readonly environment: Readonly<Record<string, string>>;
};

export type Connector = {
  /** @throws AppError egress_blocked, manifest_invalid, sandbox_missing or server_unreachable */
  open(opening: Opening): Promise<Connection>;
  close(): Promise<void>;
};

import type { Connection } from "./connection";
import type { OpenedSecrets, Way } from "./open-transport";

/** `legacy`: the server broke on the version probe. */
export type Era = "auto" | "legacy";

export type Opening = Way & {
  readonly era: Era;
  readonly secrets: OpenedSecrets;
  /** Only the one bundled server gets variables of ours. */
  readonly environment: Readonly<Record<string, string>>;
};

export type Connector = {
  /** @throws AppError egress_blocked, manifest_invalid, sandbox_missing or server_unreachable */
  open(opening: Opening): Promise<Connection>;
  close(): Promise<void>;
};

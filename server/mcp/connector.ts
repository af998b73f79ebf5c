import type { Connection } from "./connection";
import type { OpenedSecrets, Way } from "./open-transport";

/** `legacy`: breaks on the version probe. */
export type Era = "auto" | "legacy";

export type Opening = Way & {
  readonly era: Era;
  readonly secrets: OpenedSecrets;
  /** Only one bundled server gets ours. */
  readonly environment: Readonly<Record<string, string>>;
};

export type Connector = {
  /** @throws AppError egress_blocked, manifest_invalid, sandbox_missing or server_unreachable */
  open(opening: Opening): Promise<Connection>;
  close(): Promise<void>;
};

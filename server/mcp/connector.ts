import type { Connection } from "./connection";
import type { OpenedSecrets, Way } from "./open-transport";

/** `legacy`: breaks on the version probe. `sse`: HTTP with a stream of its own, from before Streamable HTTP. */
export const ERAS = ["auto", "legacy", "sse"] as const;
export type Era = (typeof ERAS)[number];

export type Opening = Way & {
  readonly era: Era;
  readonly secrets: OpenedSecrets;
  /** Only one bundled server gets ours. */
  readonly environment: Readonly<Record<string, string>>;
};

export type Connector = {
  /** @throws AppError egress_blocked, manifest_invalid, sandbox_missing or server_unreachable */
  open(opening: Opening, onUpdated?: (uri: string) => void): Promise<Connection>;
  close(): Promise<void>;
};

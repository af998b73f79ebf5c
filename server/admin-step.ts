/** Administrative changes that the runner records. */
import type { RunEvent } from "@/lib/engine/event";
import type { AdminArea } from "@/lib/engine/events/workspace";
import type { Principal } from "@/lib/engine/principal";
import type { HexDigest } from "@/lib/hash";
import type { RefusalCode } from "@/lib/refusal";

export type AdminStep = {
  /** Engine's principal for automatic steps. */
  readonly by: Principal;
  readonly area: AdminArea;
  /** 1 to 120 characters. */
  readonly subject: string;
  /** snake_case, at most 40 characters. */
  readonly step: string;
  /** `digestOf("settings", …)`; null: nothing. Never of a secret. */
  readonly before: HexDigest | null;
  readonly after: HexDigest | null;
  /** Further changes of the same step. */
  readonly also?: readonly RunEvent[];
  readonly refused?: RefusalCode;
  /** The command's, if there is one. */
  readonly commandId?: string;
};

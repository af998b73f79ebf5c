/** Administrative changes besides runs and graphs, as steps that the runner puts on record. */
import type { RunEvent } from "@/lib/engine/event";
import type { AdminArea } from "@/lib/engine/event-admin";
import type { Principal } from "@/lib/engine/principal";
import type { HexDigest } from "@/lib/hash";
import type { RefusalCode } from "@/lib/refusal";

export type AdminStep = {
  /** The requester as the database had them, or the engine's principal for automatic steps. */
  readonly by: Principal;
  readonly area: AdminArea;
  /** Id of the changed thing, 1 to 120 characters. */
  readonly subject: string;
  /** snake_case, at most 40 characters. */
  readonly step: string;
  /** `digestOf("settings", …)` before and after; null: nothing. Never of a secret. */
  readonly before: HexDigest | null;
  readonly after: HexDigest | null;
  /** Further changes of the same step, such as a new member's password. */
  readonly also?: readonly RunEvent[];
  /** Set when nothing was done. */
  readonly refused?: RefusalCode;
  /** A UUID: the command's, if there is one. */
  readonly commandId?: string;
};

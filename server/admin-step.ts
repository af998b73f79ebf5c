/** What admins change besides runs and graphs, step by step. Whoever makes a step describes it, and the runner puts it on record. */
import type { RunEvent } from "@/lib/engine/event";
import type { AdminArea } from "@/lib/engine/event-admin";
import type { Principal } from "@/lib/engine/principal";
import type { HexDigest } from "@/lib/hash";
import type { RefusalCode } from "@/lib/refusal";

export type AdminStep = {
  /** Who asked for it, as the database had them; the engine's own principal for what happens by itself. */
  readonly by: Principal;
  readonly area: AdminArea;
  /** 1 to 120 characters: the id of what is changed. */
  readonly subject: string;
  /** snake_case, at most 40 characters. */
  readonly step: string;
  /** `digestOf("settings", …)` of what was and what is; null: nothing. Never of a secret. */
  readonly before: HexDigest | null;
  readonly after: HexDigest | null;
  /** Further changes that are part of the step, such as the password of a new member. */
  readonly also?: readonly RunEvent[];
  /** Why nothing was done, where nothing was. */
  readonly refused?: RefusalCode;
  /** A UUID; that of the command, where there is one. */
  readonly commandId?: string;
};

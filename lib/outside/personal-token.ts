import { MOST_PERSONAL_MS, PERSONAL_SCOPES } from "@/lib/engine/principal";
import { DAY_MS, DEFAULT_TOKEN_LIMITS } from "./token-limits";

export const PERSONAL_DAYS = MOST_PERSONAL_MS / DAY_MS;

type Wanted = { readonly name: string; readonly graphs: readonly string[] | null; readonly expiresInDays: number };

/** As the page signs and the server submits them. */
export const toPersonalToken = ({ name, graphs, expiresInDays }: Wanted) => ({
  name,
  graphs: graphs && [...graphs],
  integrity: "untrusted" as const,
  limits: DEFAULT_TOKEN_LIMITS,
  scopes: [...PERSONAL_SCOPES],
  strictErrors: false,
  singleBlock: false,
  lifetimeMs: expiresInDays * DAY_MS,
});

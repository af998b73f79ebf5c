/** The request's identity, read fresh from user, membership and workspace. */
import type { Role } from "@/lib/roles";

export type SignedIn = {
  readonly user: { readonly id: string; readonly name: string; readonly email: string };
  readonly workspace: { readonly id: string; readonly name: string; readonly demo: boolean };
  readonly role: Role;
  readonly auditor: boolean;
  readonly session: {
    readonly id: string;
    /** Seed of the session's key, which signs its person's commands. */
    readonly key: string;
    /** Time of the session's last proof of identity, in ms since 1970; null: unknown. */
    readonly provedAtMs: number | null;
  };
};

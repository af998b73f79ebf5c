/** The request's identity, read per request. */
import type { Role } from "@/lib/roles";

export type SignedIn = {
  readonly user: { readonly id: string; readonly name: string; readonly email: string };
  readonly workspace: { readonly id: string; readonly name: string; readonly demo: boolean };
  readonly role: Role;
  readonly auditor: boolean;
  readonly session: {
    readonly id: string;
    /** Seed of the key that signs the person's commands. */
    readonly key: string;
    /** Last proof of identity, ms since 1970; null: unknown. */
    readonly provedAtMs: number | null;
  };
};

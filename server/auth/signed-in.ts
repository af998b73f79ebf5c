import type { Role } from "@/lib/roles";

export type SignedIn = {
  readonly user: { readonly id: string; readonly name: string; readonly email: string };
  readonly workspace: { readonly id: string; readonly name: string; readonly demo: boolean };
  readonly role: Role;
  readonly auditor: boolean;
  readonly session: {
    readonly id: string;
    /** Seed of the signing key. */
    readonly key: string;
    /** ms since 1970; null: unknown. */
    readonly provedAtMs: number | null;
  };
};

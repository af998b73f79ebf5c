/** Who a request comes from, after the user's row, the membership and the workspace were read for this very request. */
import type { Role } from "@/lib/roles";

export type SignedIn = {
  readonly user: { readonly id: string; readonly name: string; readonly email: string };
  readonly workspace: { readonly id: string; readonly name: string; readonly demo: boolean };
  readonly role: Role;
  readonly auditor: boolean;
  readonly session: {
    readonly id: string;
    /** The seed of its key, which signs what its person asks for. */
    readonly key: string;
    /** When this session last proved who its person is, in ms since 1970; null: it is not known. */
    readonly provedAtMs: number | null;
  };
};

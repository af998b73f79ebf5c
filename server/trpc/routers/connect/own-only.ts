import type { Role } from "@/lib/roles";

/** Scope of visible tokens and sessions: everyone's for an admin (null), else one's own. */
export const ownOnly = ({ role, user }: { readonly role: Role; readonly user: { readonly id: string } }): string | null =>
  role === "admin" ? null : user.id;

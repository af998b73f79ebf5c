import type { Role } from "@/lib/roles";

/** Whose tokens and sessions somebody sees and ends: an admin everybody's (null), others their own. */
export const ownOnly = ({ role, user }: { readonly role: Role; readonly user: { readonly id: string } }): string | null =>
  role === "admin" ? null : user.id;

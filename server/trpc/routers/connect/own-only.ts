import type { Role } from "@/lib/roles";

/** Returns the owner of visible tokens; null: everyone, for an admin. */
export const ownOnly = ({ role, user }: { readonly role: Role; readonly user: { readonly id: string } }): string | null =>
  role === "admin" ? null : user.id;

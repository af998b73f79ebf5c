import type { Role } from "@/lib/roles";

/** Returns whose tokens are visible; null: everyone's, for an admin. */
export const ownOnly = ({ role, user }: { readonly role: Role; readonly user: { readonly id: string } }): string | null =>
  role === "admin" ? null : user.id;

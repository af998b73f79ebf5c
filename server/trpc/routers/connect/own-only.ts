import type { Role } from "@/lib/roles";

export const ownOnly = ({ role, user }: { readonly role: Role; readonly user: { readonly id: string } }): string | null =>
  role === "admin" ? null : user.id;

import type { Role } from "@/lib/roles";
import { getDatabase } from "@/server/db/client";

export type HeadlessPerson = { readonly id: string; readonly name: string; readonly role: Role };

export const createHeadlessWorkspace = (workspaceId: string, name: string, people: readonly HeadlessPerson[]): Promise<void> =>
  getDatabase().$transaction(async (tx) => {
    // No sign-in, so commands have no session.
    await tx.workspace.create({ data: { id: workspaceId, name, demo: true } });
    await tx.user.createMany({ data: people.map((person) => ({ id: person.id, name: person.name, email: `${person.id}@localhost` })) });
    await tx.membership.createMany({ data: people.map((person) => ({ workspaceId, userId: person.id, role: person.role })) });
  });

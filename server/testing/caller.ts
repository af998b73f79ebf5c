/** The procedures as a signed-in person calls them. */
import { randomUUID } from "node:crypto";
import type { Role } from "@/lib/roles";
import { createCaller } from "@/server/trpc/root";

type Person = { readonly id?: string; readonly auditor?: boolean };

/** Somebody new with this role, unless `id` says who. */
export const callerAs = (workspaceId: string, role: Role, { id = randomUUID(), auditor = false }: Person = {}) =>
  createCaller({
    requestId: randomUUID(),
    address: "test",
    host: "localhost",
    signedIn: async () => ({
      user: { id, name: role, email: `${id}@test.invalid` },
      workspace: { id: workspaceId, name: "Test", demo: false },
      role,
      auditor,
    }),
  });

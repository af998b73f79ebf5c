import type { AskedFor } from "@/lib/permission-reasons";
import { ACCESS, type AccessRow } from "@/server/trpc/access-table";
import { createProcedure } from "@/server/trpc/init";

export type ProcedureAccess = AskedFor & { readonly path: string };

const FRESH = { fresh: "always", sometimes: "sometimes", never: "never" } as const;

const PROCEDURES: readonly ProcedureAccess[] = Object.entries<AccessRow>(ACCESS)
  .map(([path, [access, , fresh]]) => ({ path, access, fresh: FRESH[fresh ?? "never"] }))
  .toSorted((a, b) => a.path.localeCompare(b.path, "en"));

export const permissionsList = createProcedure("people.read").query(() => PROCEDURES);

import { z } from "zod";
import { OUTAGE_CAUSES } from "@/lib/engine/outage-causes";
import { systemClock } from "@/server/clock";
import { getDatabase, scopeToWorkspace } from "@/server/db/client";

const rowSchema = z.object({
  provider: z.string(),
  /** Empty: the key of all environments without their own. */
  environment: z.string(),
  cause: z.enum(OUTAGE_CAUSES),
  failures: z.number(),
  until: z.date().transform((at) => at.getTime()),
});
export type ProviderCircuit = z.infer<typeof rowSchema>;

/** Runner's role only. @param circuit null: closed */
export const putProviderCircuit = async (
  { environment: scope, ...place }: { readonly workspaceId: string; readonly provider: string; readonly environment: string | null },
  circuit: Omit<ProviderCircuit, "provider" | "environment"> | null,
): Promise<void> => {
  const { providerCircuit } = getDatabase();
  const key = { ...place, environment: scope ?? "" };
  if (circuit === null) {
    await providerCircuit.deleteMany({ where: key });

    return;
  }
  const row = { ...circuit, until: new Date(circuit.until), changedAt: new Date(systemClock.now()) };
  await providerCircuit.upsert({
    where: { workspaceId_provider_environment: key },
    create: { ...key, ...row },
    update: row,
  });
};

export const listProviderCircuits = async (workspaceId: string): Promise<readonly ProviderCircuit[]> =>
  rowSchema.array().parse(await scopeToWorkspace(workspaceId).providerCircuit.findMany({ where: { workspaceId }, take: 200 }));

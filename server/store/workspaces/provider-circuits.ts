import { z } from "zod";
import { OUTAGE_CAUSES } from "@/lib/engine/outage-causes";
import { systemClock } from "@/server/clock";
import { getDatabase, scopeToWorkspace } from "@/server/db/client";

const rowSchema = z.object({
  provider: z.string(),
  cause: z.enum(OUTAGE_CAUSES),
  failures: z.number(),
  until: z.date().transform((at) => at.getTime()),
});
export type ProviderCircuit = z.infer<typeof rowSchema>;

/** Runner's role only. @param circuit null: closed */
export const putProviderCircuit = async (
  workspaceId: string,
  provider: string,
  circuit: Omit<ProviderCircuit, "provider"> | null,
): Promise<void> => {
  const { providerCircuit } = getDatabase();
  if (circuit === null) {
    await providerCircuit.deleteMany({ where: { workspaceId, provider } });

    return;
  }
  const row = { ...circuit, until: new Date(circuit.until), changedAt: new Date(systemClock.now()) };
  await providerCircuit.upsert({
    where: { workspaceId_provider: { workspaceId, provider } },
    create: { workspaceId, provider, ...row },
    update: row,
  });
};

export const listProviderCircuits = async (workspaceId: string): Promise<readonly ProviderCircuit[]> =>
  rowSchema.array().parse(await scopeToWorkspace(workspaceId).providerCircuit.findMany({ where: { workspaceId }, take: 200 }));

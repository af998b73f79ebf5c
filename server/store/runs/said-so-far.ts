import { z } from "zod";
import { systemClock } from "@/server/clock";
import { getDatabase, scopeToWorkspace } from "@/server/db/client";

export type SaidRow = {
  readonly workspaceId: string;
  readonly runId: string;
  readonly task: string;
  readonly sealed: Uint8Array<ArrayBuffer>;
};

/** Runner's role only. */
export const putSaidSoFar = async ({ workspaceId, runId, task, sealed }: SaidRow): Promise<void> => {
  const at = new Date(systemClock.now());
  await getDatabase().saidSoFar.upsert({
    where: { workspaceId_runId_task: { workspaceId, runId, task } },
    create: { workspaceId, runId, task, sealed, at },
    update: { sealed, at },
  });
};

/** Of a crashed runner. */
const LEFT_MS = 3_600_000;

/** Ends a call's text and deletes leftovers. Runner's role only. */
export const endSaidSoFar = async (workspaceId: string, runId: string, task: string): Promise<void> => {
  const old = new Date(systemClock.now() - LEFT_MS);
  await getDatabase().saidSoFar.deleteMany({ where: { workspaceId, OR: [{ runId, task }, { at: { lt: old } }] } });
};

const rowSchema = z.object({ task: z.string(), sealed: z.instanceof(Uint8Array) });

/** A run has one text for each task that speaks. */
export const listSaidSoFar = async (workspaceId: string, runId: string): Promise<readonly z.infer<typeof rowSchema>[]> =>
  rowSchema.array().parse(
    await scopeToWorkspace(workspaceId).saidSoFar.findMany({
      where: { workspaceId, runId },
      orderBy: { task: "asc" },
      take: 20,
      select: { task: true, sealed: true },
    }),
  );

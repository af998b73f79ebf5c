import { z } from "zod";
import { isolationSchema, findWeakest, type Isolation } from "@/lib/mcp/isolation";
import { modelInfoSchema, type ModelInfo } from "@/lib/model-info";
import { programSchema, type Program } from "@/lib/mcp/program";
import { getDatabase } from "@/server/db/client";

export type Health = { readonly database: "ok" | "down"; readonly runner: "ok" | "starting" | "down" };

export const HEARTBEAT_MS = 5_000;
export const SILENT_AFTER_MS = 3 * HEARTBEAT_MS;

/** Grace for a starting runner. */
const patienceMs = 30_000;

export type Standing = {
  readonly models?: readonly ModelInfo[];
  readonly programs?: readonly Program[];
  readonly isolation?: Isolation;
};

/** Renews a runner's row and deletes dead ones. */
export const beat = async (runnerId: string, { models = [], programs = [], isolation }: Standing = {}): Promise<void> => {
  await getDatabase().$executeRaw`
    with gone as (delete from runner_heartbeat where at < now() - interval '1 hour' and id <> ${runnerId})
    insert into runner_heartbeat (id, at, models, programs, isolation)
    values (${runnerId}, now(), ${JSON.stringify(models)}::jsonb, ${JSON.stringify(programs)}::jsonb,
      ${isolation === undefined ? null : JSON.stringify(isolation)}::jsonb)
    on conflict (id) do update
    set at = excluded.at, models = excluded.models, programs = excluded.programs, isolation = excluded.isolation`;
};

/** Deletes a stopping runner's row. */
export const endBeat = async (runnerId: string): Promise<void> => {
  await getDatabase().runnerHeartbeat.deleteMany({ where: { id: runnerId } });
};

/** Models of live runners. */
export const listModels = async (): Promise<readonly ModelInfo[]> => {
  const rows = await getDatabase().$queryRaw<{ models: unknown }[]>`
    select models from runner_heartbeat where at > now() - make_interval(secs => ${SILENT_AFTER_MS / 1_000}) order by id`;
  const models = rows.flatMap((row) => z.array(modelInfoSchema).max(1_000).catch([]).parse(row.models));

  return [...new Map(models.map((model) => [model.id, model])).values()];
};

/** Reported by live runners, for display only. */
export const listPrograms = async (): Promise<readonly Program[]> => {
  const rows = await getDatabase().$queryRaw<{ programs: unknown }[]>`
    select programs from runner_heartbeat where at > now() - make_interval(secs => ${SILENT_AFTER_MS / 1_000}) order by id`;
  const programs = rows.flatMap((row) => z.array(programSchema).max(1_000).catch([]).parse(row.programs));

  return [...new Map(programs.map((program) => [program.id, program])).values()];
};

/** Layers of every live runner's machine. Null without reports. */
export const readIsolation = async (): Promise<Isolation | null> => {
  const rows = await getDatabase().$queryRaw<{ isolation: unknown }[]>`
    select isolation from runner_heartbeat
    where isolation is not null and at > now() - make_interval(secs => ${SILENT_AFTER_MS / 1_000}) order by id`;

  return findWeakest(rows.flatMap((row) => isolationSchema.safeParse(row.isolation).data ?? []));
};

/** @param uptimeMs of this process */
export const getHealth = async (uptimeMs: number): Promise<Health> => {
  const missing = uptimeMs < patienceMs ? "starting" : "down";

  try {
    const [row] = await getDatabase().$queryRaw<{ age_ms: number | null }[]>`
      select (extract(epoch from now() - max(at)) * 1000)::float8 as age_ms from runner_heartbeat`;
    const ageMs = row?.age_ms ?? null;

    return { database: "ok", runner: ageMs !== null && ageMs < SILENT_AFTER_MS ? "ok" : missing };
  } catch {
    return { database: "down", runner: missing };
  }
};

/** Whether somebody decides: each runner renews its row, and the web process looks how old the newest one is. */
import { z } from "zod";
import { isolationSchema, weakestOf, type Isolation } from "@/lib/mcp/isolation";
import { modelInfoSchema, type ModelInfo } from "@/lib/model-info";
import { programSchema, type Program } from "@/lib/mcp/program";
import { database } from "@/server/db/client";

export type Health = { readonly database: "ok" | "down"; readonly runner: "ok" | "starting" | "down" };

/** How often a runner renews its row; three missed beats count as down. */
export const HEARTBEAT_MS = 5_000;
export const SILENT_AFTER_MS = 3 * HEARTBEAT_MS;

/** How long a fresh web process waits for the runner that was started beside it before it calls it down. */
const patienceMs = 30_000;

/** What a runner says of itself and its machine. */
export type Standing = {
  readonly models?: readonly ModelInfo[];
  readonly programs?: readonly Program[];
  readonly isolation?: Isolation;
};

/** Renews the row of a runner and forgets runners that stopped long ago. The database's clock is the only one used. */
export const beat = async (runnerId: string, { models = [], programs = [], isolation }: Standing = {}): Promise<void> => {
  await database().$executeRaw`
    with gone as (delete from runner_heartbeat where at < now() - interval '1 hour' and id <> ${runnerId})
    insert into runner_heartbeat (id, at, models, programs, isolation)
    values (${runnerId}, now(), ${JSON.stringify(models)}::jsonb, ${JSON.stringify(programs)}::jsonb,
      ${isolation === undefined ? null : JSON.stringify(isolation)}::jsonb)
    on conflict (id) do update
    set at = excluded.at, models = excluded.models, programs = excluded.programs, isolation = excluded.isolation`;
};

/** Removes the row of a runner that stops on purpose. */
export const endBeat = async (runnerId: string): Promise<void> => {
  await database().runnerHeartbeat.deleteMany({ where: { id: runnerId } });
};

/** What the runners that are alive can call, each model once. */
export const listModels = async (): Promise<readonly ModelInfo[]> => {
  const rows = await database().$queryRaw<{ models: unknown }[]>`
    select models from runner_heartbeat where at > now() - make_interval(secs => ${SILENT_AFTER_MS / 1_000}) order by id`;
  const models = rows.flatMap((row) => z.array(modelInfoSchema).max(1_000).catch([]).parse(row.models));

  return [...new Map(models.map((model) => [model.id, model])).values()];
};

/** What the operator offers, as the runners that are alive say it; each program once. It is for showing: runners read their own list. */
export const listPrograms = async (): Promise<readonly Program[]> => {
  const rows = await database().$queryRaw<{ programs: unknown }[]>`
    select programs from runner_heartbeat where at > now() - make_interval(secs => ${SILENT_AFTER_MS / 1_000}) order by id`;
  const programs = rows.flatMap((row) => z.array(programSchema).max(1_000).catch([]).parse(row.programs));

  return [...new Map(programs.map((program) => [program.id, program])).values()];
};

/** What holds on the machines of all runners that are alive: any of them may start a server. Null while none of them says. */
export const readIsolation = async (): Promise<Isolation | null> => {
  const rows = await database().$queryRaw<{ isolation: unknown }[]>`
    select isolation from runner_heartbeat
    where isolation is not null and at > now() - make_interval(secs => ${SILENT_AFTER_MS / 1_000}) order by id`;

  return weakestOf(rows.flatMap((row) => isolationSchema.safeParse(row.isolation).data ?? []));
};

/** State of database and runner. @param uptimeMs how long this process runs */
export const healthOf = async (uptimeMs: number): Promise<Health> => {
  const missing = uptimeMs < patienceMs ? "starting" : "down";

  try {
    const [row] = await database().$queryRaw<{ age_ms: number | null }[]>`
      select (extract(epoch from now() - max(at)) * 1000)::float8 as age_ms from runner_heartbeat`;
    const ageMs = row?.age_ms ?? null;

    return { database: "ok", runner: ageMs !== null && ageMs < SILENT_AFTER_MS ? "ok" : missing };
  } catch {
    return { database: "down", runner: missing };
  }
};

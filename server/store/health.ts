import { z } from "zod";
import { checkSchema, type Check } from "@/lib/checks";
import { isolationSchema, findWeakest, type Isolation } from "@/lib/mcp/isolation";
import { modelInfoSchema, type ModelInfo } from "@/lib/model-info";
import { programSchema, type Program } from "@/lib/mcp/program";
import type { Channel } from "@/lib/notifications/setting";
import { getDatabase, getPool } from "@/server/db/client";
import { columnsOf, queryRow, queryRows } from "@/server/store/sql/rows";

export type Health = { readonly database: "ok" | "down"; readonly runner: "ok" | "starting" | "down" };

export const HEARTBEAT_MS = 5_000;
export const SILENT_AFTER_MS = 3 * HEARTBEAT_MS;

/** Grace for a starting runner. */
const patienceMs = 30_000;

export type Standing = {
  readonly models?: readonly ModelInfo[];
  readonly programs?: readonly Program[];
  readonly isolation?: Isolation;
  readonly mailFrom?: string | null;
  readonly checks?: readonly Check[];
  readonly channels?: readonly Channel[];
  readonly pushKey?: string | null;
};

/** Renews a runner's row and deletes dead ones. */
export const beat = async (
  runnerId: string,
  { models = [], programs = [], isolation, mailFrom = null, channels = [], checks = [], pushKey = null }: Standing = {},
): Promise<void> => {
  await getDatabase().$executeRaw`
    with gone as (delete from runner_heartbeat where at < now() - interval '1 hour' and id <> ${runnerId})
    insert into runner_heartbeat (id, at, models, programs, isolation, mail_from, channels, checks, push_key)
    values (${runnerId}, now(), ${JSON.stringify(models)}::jsonb, ${JSON.stringify(programs)}::jsonb,
      ${isolation === undefined ? null : JSON.stringify(isolation)}::jsonb, ${mailFrom}, ${[...channels]}, ${JSON.stringify(checks)}::jsonb, ${pushKey})
    on conflict (id) do update
    set at = excluded.at, models = excluded.models, programs = excluded.programs, isolation = excluded.isolation,
      mail_from = excluded.mail_from, channels = excluded.channels, checks = excluded.checks,
      push_key = excluded.push_key`;
};

export const endBeat = async (runnerId: string): Promise<void> => {
  await getDatabase().runnerHeartbeat.deleteMany({ where: { id: runnerId } });
};

const standingRow = z.object({
  models: z.unknown(),
  programs: z.unknown(),
  isolation: z.unknown(),
  checks: z.unknown(),
  mailFrom: z.string().nullable(),
  channels: z.array(z.string()),
  pushKey: z.string().nullable(),
});

/** By the database's clock. */
const listLive = () =>
  queryRows(getPool(), standingRow, {
    text: `select ${columnsOf(standingRow)} from runner_heartbeat where at > now() - make_interval(secs => $1) order by id`,
    values: [SILENT_AFTER_MS / 1_000],
  });

export const listModels = async (): Promise<readonly ModelInfo[]> => {
  const models = (await listLive()).flatMap((row) => z.array(modelInfoSchema).max(1_000).catch([]).parse(row.models));

  return [...new Map(models.map((model) => [model.id, model])).values()];
};

/** Programs that each live runner can start, for display only. */
export const listProgramReports = async (): Promise<readonly (readonly Program[])[]> =>
  (await listLive()).map((row) => z.array(programSchema).max(1_000).catch([]).parse(row.programs));

/** Programs of all live runners, for display only. */
export const listPrograms = async (): Promise<readonly Program[]> => {
  const programs = (await listProgramReports()).flat();

  return [...new Map(programs.map((program) => [program.id, program])).values()];
};

/** Layers of every live runner's machine. Null without reports. */
export const readIsolation = async (): Promise<Isolation | null> =>
  findWeakest((await listLive()).flatMap((row) => isolationSchema.safeParse(row.isolation).data ?? []));

export const listRunnerChecks = async (): Promise<readonly (readonly Check[])[]> =>
  (await listLive()).map(({ checks }) => z.array(checkSchema).max(100).catch([]).parse(checks));

export const findMailSender = async (): Promise<string | null> =>
  (await listLive()).find(({ mailFrom }) => mailFrom !== null)?.mailFrom ?? null;

export const findPushKey = async (): Promise<string | null> => (await listLive()).find(({ pushKey }) => pushKey !== null)?.pushKey ?? null;

export const isChannelSetUp = async (channel: Channel): Promise<boolean> =>
  (await listLive()).some(({ channels, mailFrom }) => channels.includes(channel) || (channel === "mail" && mailFrom !== null));

const ageRow = z.object({ ageMs: z.number().nullable() });

/** @param uptimeMs of this process */
export const getHealth = async (uptimeMs: number): Promise<Health> => {
  const missing = uptimeMs < patienceMs ? "starting" : "down";

  try {
    const text = 'select (extract(epoch from now() - max(at)) * 1000)::float8 as "ageMs" from runner_heartbeat';
    const ageMs = (await queryRow(getPool(), ageRow, { text }))?.ageMs ?? null;

    return { database: "ok", runner: ageMs !== null && ageMs < SILENT_AFTER_MS ? "ok" : missing };
  } catch {
    return { database: "down", runner: missing };
  }
};

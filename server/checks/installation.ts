import { createCheck, type Check } from "@/lib/checks";
import type { Isolation } from "@/lib/mcp/isolation";
import type { Program } from "@/lib/mcp/program";
import { systemClock } from "@/server/clock";
import { readEnv } from "@/server/env";
import { listConfiguredModels } from "@/server/models/providers";
import { listAllWorkspaces } from "@/server/store/workspaces/log";
import { checkDatabase } from "@/server/store/database-checks";
import { checkKeys, checkSandbox } from "./machine";
import { checkOrigins } from "./origins";
import { checkProviders, checkServers, listInstalledProviders } from "./services";

type Machine = { readonly home: string; readonly root: string; readonly databaseUrl: string; readonly isolation: Isolation };

type Place = Omit<Machine, "databaseUrl"> & {
  readonly databaseUrl: string | null;
  readonly programs: readonly Program[] | null;
  readonly reaches: boolean;
};

const checkServices = async ({ programs, reaches }: Place): Promise<readonly Check[]> => {
  const workspaceIds = await listAllWorkspaces();
  const installed = listInstalledProviders(listConfiguredModels(readEnv()));

  return [...(await checkServers(workspaceIds, programs)), ...(await checkProviders({ workspaceIds, installed, reaches }))];
};

const NOT_READ = ["database_unreachable", "migrations_missing", "migrations_newer", "roles_missing"] as const;

const isReadable = (checks: readonly Check[]): boolean => !NOT_READ.some((code) => checks.some((check) => check.code === code));

const checkOwnSandbox = (isolation: Isolation): Check => checkSandbox(isolation, readEnv().COUNTERSIGN_SANDBOX === "off");

const checkOwnOrigins = (): Promise<readonly Check[]> => checkOrigins(readEnv().COUNTERSIGN_MCP_ORIGINS);

export const checkMachine = async ({ home, root, databaseUrl, isolation }: Machine): Promise<readonly Check[]> => {
  const database = await checkDatabase(databaseUrl, root, () => systemClock.now());

  return [...(await checkKeys(home, isReadable(database))), ...database, checkOwnSandbox(isolation), ...(await checkOwnOrigins())];
};

const SKIPPED = [createCheck("servers_skipped"), createCheck("providers_skipped")];

export const checkInstallation = async (place: Place): Promise<readonly Check[]> => {
  const { databaseUrl, isolation } = place;
  if (databaseUrl !== null) {
    const machine = await checkMachine({ ...place, databaseUrl });

    return [...machine, ...(isReadable(machine) ? await checkServices(place) : SKIPPED)];
  }

  return [
    ...(["keys_skipped", "database_skipped", "pooler_skipped"] as const).map((code) => createCheck(code)),
    checkOwnSandbox(isolation),
    ...SKIPPED,
    createCheck("clock_skipped"),
  ];
};

import type { Check } from "@/lib/checks";
import type { Program } from "@/lib/mcp/program";
import { systemClock } from "@/server/clock";
import { readEnv } from "@/server/env";
import { cacheFor } from "@/server/runner/readiness";
import { listProgramReports, listRunnerChecks } from "@/server/store/health";
import { checkDatabase } from "@/server/store/database-checks";
import { checkProviders, checkServers } from "./services";

const FRESH_MS = 30_000;

const checkOwn = cacheFor(systemClock, FRESH_MS, () => checkDatabase(readEnv().DATABASE_URL ?? "", process.cwd(), () => systemClock.now()));

const findCommon = (reports: readonly (readonly Program[])[]): readonly Program[] | null => {
  const [first, ...others] = reports;

  return first ? first.filter(({ id }) => others.every((report) => report.some((program) => program.id === id))) : null;
};

export type CheckReport = {
  readonly web: readonly Check[];
  readonly runners: readonly (readonly Check[])[];
  /** Servers and providers of this workspace alone. */
  readonly workspace: readonly Check[];
};

export const readCheckReport = async (workspaceId: string): Promise<CheckReport> => {
  const [web, runners, reports] = await Promise.all([checkOwn(), listRunnerChecks(), listProgramReports()]);
  const workspaceIds = [workspaceId];
  const [servers, providers] = await Promise.all([
    checkServers(workspaceIds, findCommon(reports)),
    checkProviders({ workspaceIds, installed: null, reaches: false }),
  ]);

  return { web, runners, workspace: [...servers, ...providers] };
};

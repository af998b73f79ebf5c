import { approvalsSchema } from "@/lib/approval-policy/command";
import { uuidSchema } from "@/lib/ids";
import { systemClock } from "@/server/clock";
import { setPolicyAsOperator, getStandingPolicy } from "@/server/runner/approval-policy";
import { listHandovers, listPublicKeys } from "@/server/security/trust-anchor";
import { createAuthorityReader, isAuthorityError, type AuthorityReader } from "@/server/store/trust/authority";
import { listAllWorkspaces } from "@/server/store/workspaces/log";
import { parseArguments } from "./arguments";
import { CliFailure, type CliCommand } from "./host";
import { awaitAnswer, demandSigner, noWorkspace, useInstalledDatabase, workspaceNotFound } from "./installed";
import { formatJsonLine } from "./problem";

const lineOf = async (reader: AuthorityReader, workspace: string): Promise<string> => {
  const show = async (environment: string | null) => {
    const { settings, inForce } = await getStandingPolicy(reader, workspace, environment);

    return { approvals: inForce, set: settings.approvals !== null, request: settings.request?.id ?? null };
  };
  const { environments } = await reader.read(workspace);
  const shown = await Promise.all(environments.list.map(async ({ id }) => [id, await show(id)] as const));

  return formatJsonLine({ workspace, ...(await show(null)), environments: Object.fromEntries(shown) });
};

const demandEnvironment = async (reader: AuthorityReader, workspace: string, environment: string | null): Promise<void> => {
  const { environments } = await reader.read(workspace);
  if (environment !== null && !environments.list.some(({ id }) => id === environment))
    throw new CliFailure(`the workspace has no environment "${environment}"`);
};

export const awaitBelieved = <T>(read: Promise<T>): Promise<T> =>
  awaitAnswer(
    read.catch((error: unknown) => {
      throw isAuthorityError(error) ? new CliFailure(error.message, error) : error;
    }),
  );

export const listWorkspaces = async (only: string | null): Promise<readonly string[]> => {
  if (only !== null && !uuidSchema.safeParse(only).success) throw new CliFailure("--workspace expects a workspace ID");
  const found = (await awaitAnswer(listAllWorkspaces())).filter((id) => only === null || id === only);
  if (found.length === 0) throw only === null ? noWorkspace() : workspaceNotFound(only);

  return found;
};

export const runPolicyCommand: CliCommand = async (argv, host) => {
  const [verb = "show", ...rest] = argv;
  if (verb !== "show" && verb !== "set") throw new CliFailure(`unknown command "policy ${verb}": use show or set`);
  const isSetting = verb === "set";
  const { operand, text, flag } = parseArguments(
    rest,
    isSetting ? "policy (write or graph)" : null,
    isSetting ? { workspace: "string", environment: "string", yes: "boolean" } : { workspace: "string" },
  );
  const approvals = approvalsSchema.safeParse(operand).data;
  if (isSetting && !approvals) throw new CliFailure("the policy must be write or graph");
  useInstalledDatabase(host);
  const reader = createAuthorityReader({ publicKeys: listPublicKeys, handovers: listHandovers });
  const workspaces = await listWorkspaces(text("workspace"));
  if (approvals) {
    const [workspace] = workspaces;
    if (!workspace || workspaces.length > 1) throw new CliFailure("this installation has several workspaces: choose one with --workspace");
    const environment = text("environment");
    await awaitBelieved(demandEnvironment(reader, workspace, environment));
    if (!flag("yes")) {
      await host.out(await awaitBelieved(lineOf(reader, workspace)));
      const place = environment === null ? "" : ` in ${environment}`;
      throw new CliFailure(`this would set the policy${place} to ${approvals} without a second admin: run again with --yes to confirm`);
    }
    const signer = demandSigner(host.home);
    await awaitBelieved(setPolicyAsOperator({ clock: systemClock, signer }, reader, workspace, approvals, environment));
  }
  for (const workspace of workspaces) await host.out(await awaitBelieved(lineOf(reader, workspace)));

  return 0;
};

import { systemClock } from "@/server/clock";
import { confirmDirectoryAsOperator } from "@/server/runner/directory";
import { listHandovers, listPublicKeys } from "@/server/security/trust-anchor";
import { createAuthorityReader } from "@/server/store/trust/authority";
import { parseArguments } from "./arguments";
import { CliFailure, type CliCommand } from "./host";
import { demandSigner, useInstalledDatabase } from "./installed";
import { awaitBelieved, listWorkspaces } from "./policy";
import { formatJsonLine } from "./problem";

export const runDirectoryCommand: CliCommand = async (argv, host) => {
  const [verb = "show", ...rest] = argv;
  if (verb !== "show" && verb !== "confirm") throw new CliFailure(`unknown command "directory ${verb}": use show or confirm`);
  const isConfirming = verb === "confirm";
  const { text, flag } = parseArguments(
    rest,
    null,
    isConfirming ? { workspace: "string", token: "string", yes: "boolean" } : { workspace: "string" },
  );
  useInstalledDatabase(host);
  const reader = createAuthorityReader({ publicKeys: listPublicKeys, handovers: listHandovers });
  const workspaces = await listWorkspaces(text("workspace"));
  for (const workspace of workspaces) {
    const { inForce, asked, provision } = (await awaitBelieved(reader.read(workspace))).approvers.directory;
    const tokens = [...provision.tokens].map(([token, { by, expiresAt, isConfirmed }]) => ({ token, by, expiresAt, isConfirmed }));
    const mapping = { mapping: inForce?.directory ?? null, asked: asked?.directory ?? null, by: asked?.by ?? null };
    await host.out(formatJsonLine({ workspace, ...mapping, tokens }));
  }
  if (!isConfirming) return 0;
  const [workspace] = workspaces;
  if (!workspace || workspaces.length > 1) throw new CliFailure("this installation has several workspaces: choose one with --workspace");
  const token = text("token");
  const what = token === null ? "mapping" : "token";
  if (!flag("yes")) throw new CliFailure(`this would confirm the ${what} without a second admin: run again with --yes to confirm`);
  const isConfirmed = await awaitBelieved(
    confirmDirectoryAsOperator({ clock: systemClock, signer: demandSigner(host.home) }, reader, workspace, token),
  );
  if (!isConfirmed) throw new CliFailure(`no such ${what} waits for a second admin`);

  return 0;
};

import { digestInForce } from "@/lib/engine/ledger/workspace-authority";
import { uuidSchema } from "@/lib/ids";
import { systemClock } from "@/server/clock";
import { adoptRows, listDifferingRows } from "@/server/runner/adopt";
import { AuthorityUnverified, createAuthorityReader, type AuthorityReader } from "@/server/store/trust/authority";
import { listCurrentProjections, type Projection } from "@/server/store/ledger/projections";
import { listHandovers, listPublicKeys } from "@/server/security/trust-anchor";
import { listAllWorkspaces } from "@/server/store/workspaces/log";
import { parseArguments } from "./arguments";
import { CliFailure, type CliCommand, type CliHost } from "./host";
import { awaitAnswer, demandSigner, useInstalledDatabase, workspaceNotFound } from "./installed";
import { formatJsonLine } from "./problem";

/** `unverified`: its ledger does not verify. */
type Standing = {
  readonly workspace: string;
  readonly status: "recorded" | "not_recorded" | "mismatch" | "unverified";
  readonly rows: readonly { readonly area: string; readonly subject: string }[];
};

const readerOf = (): AuthorityReader => createAuthorityReader({ publicKeys: listPublicKeys, handovers: listHandovers });

const named = (rows: readonly Projection[]): Standing["rows"] => rows.map(({ area, subject }) => ({ area, subject }));

const standingOf = async (reader: AuthorityReader, workspace: string): Promise<Standing> => {
  try {
    const authority = await reader.read(workspace);
    const rows = named(listDifferingRows(authority, await listCurrentProjections(workspace)));
    if (digestInForce(authority, "workspace", workspace) === null) return { workspace, status: "not_recorded", rows };

    return { workspace, status: rows.length === 0 ? "recorded" : "mismatch", rows };
  } catch (error) {
    if (!(error instanceof AuthorityUnverified)) throw error;

    return { workspace, status: "unverified", rows: [] };
  }
};

const adopt = async (host: CliHost, reader: AuthorityReader, standing: Standing): Promise<Standing> => {
  if (standing.status !== "not_recorded") return standing;
  const signer = demandSigner(host.home);
  await adoptRows({ clock: systemClock, signer }, reader, standing.workspace);

  return standingOf(reader, standing.workspace);
};

export const runAuthorityCommand: CliCommand = async (argv, host) => {
  const isAdopting = argv[0] === "adopt";
  const { text, flag } = parseArguments(isAdopting ? argv.slice(1) : argv, null, { workspace: "string", yes: "boolean" });
  const only = text("workspace");
  if (only !== null && !uuidSchema.safeParse(only).success) throw new CliFailure("--workspace expects a workspace ID");
  useInstalledDatabase(host);
  const reader = readerOf();
  const ids = (await awaitAnswer(listAllWorkspaces())).filter((id) => only === null || id === only);
  if (only !== null && ids.length === 0) throw workspaceNotFound(only);
  let isGood = true;
  for (const id of ids) {
    const found = await awaitAnswer(standingOf(reader, id));
    if (isAdopting && found.status === "not_recorded" && !flag("yes")) {
      throw new CliFailure(
        `this would record ${found.rows.length} rows of workspace ${id} as they are now: review them with "countersign authority", then run again with --yes`,
      );
    }
    const standing = isAdopting ? await awaitAnswer(adopt(host, reader, found)) : found;
    isGood &&= standing.status === "recorded";
    await host.out(formatJsonLine(standing));
  }

  return isGood ? 0 : 2;
};

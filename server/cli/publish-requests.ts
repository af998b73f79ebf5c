import { AppError } from "@/lib/errors";
import { uuidSchema } from "@/lib/ids";
import { systemClock } from "@/server/clock";
import { approveAsOperator, openRequestsOf, type OpenRequest } from "@/server/runner/operator-approval";
import { listHandovers, listPublicKeys } from "@/server/security/trust-anchor";
import { createAuthorityReader, isAuthorityError, type AuthorityReader } from "@/server/store/trust/authority";
import { listAllWorkspaces } from "@/server/store/workspaces/log";
import { parseArguments } from "./arguments";
import { CliFailure, type CliCommand, type CliHost } from "./host";
import { awaitAnswer, demandSigner, useInstalledDatabase, workspaceNotFound } from "./installed";
import { formatJsonLine } from "./problem";

type Found = OpenRequest & { readonly workspace: string };

const lineOf = ({ workspace, request, status, answerableBy, changes, unattended }: Found): string =>
  formatJsonLine({
    workspace,
    id: request.id,
    status,
    graph: { id: request.graphId, name: request.graphName },
    hash: request.hash,
    base: request.baseHash,
    asked_by: request.requesterName,
    by_agent: request.byAgent,
    asked_at: request.createdAt,
    answerable_by: [...answerableBy],
    changes: changes.map(({ direction, text }) => ({ direction, text })),
    unattended: unattended.map(({ inside, node, tool }) => ({ inside, node, tool })),
  });

const openRequests = async (reader: AuthorityReader, only: string | null): Promise<readonly Found[]> => {
  const workspaces = (await listAllWorkspaces()).filter((id) => only === null || id === only);
  if (only !== null && workspaces.length === 0) throw workspaceNotFound(only);
  const found: Found[] = [];
  for (const workspace of workspaces) {
    for (const request of await openRequestsOf(reader, workspace)) found.push({ workspace, ...request });
  }

  return found;
};

const objectionTo = ({ request, status, answerableBy }: Found): string | null => {
  switch (status) {
    case "mismatch":
      return `request ${request.id} does not match the signed records, so it cannot be published`;
    case "void":
      return `the draft, the newest version or the registry changed after request ${request.id} was made: it must be requested again`;
    case "waits":
      return `the operator cannot confirm request ${request.id}: ${answerableBy.join(", ")} can answer it`;
    case "operator":
      return null;
    default:
      return status satisfies never;
  }
};

const confirm = async (host: CliHost, reader: AuthorityReader, found: Found, isSure: boolean): Promise<void> => {
  const { workspace, request } = found;
  const objection = objectionTo(found);
  if (objection !== null) throw new CliFailure(objection);
  if (!isSure) {
    await host.out(lineOf(found));
    throw new CliFailure(`this would publish a version of ${request.graphName} without a second person: run again with --yes to confirm`);
  }
  const signer = demandSigner(host.home);
  const version = await approveAsOperator({ clock: systemClock, signer }, reader, workspace, request.id).catch((error: unknown) => {
    // Changed since listing.
    if (error instanceof AppError || isAuthorityError(error)) throw new CliFailure(`nothing was published: ${error.message}`, error);
    throw error;
  });
  await host.out(
    formatJsonLine({ workspace, id: request.id, status: "published", graph: version.graphId, version: version.number, hash: version.hash }),
  );
};

export const publishRequestsCommand: CliCommand = async (argv, host) => {
  const isConfirming = argv[0] === "confirm";
  const { operand, text, flag } = parseArguments(
    isConfirming ? argv.slice(1) : argv,
    isConfirming ? "request" : null,
    isConfirming ? { yes: "boolean" } : { workspace: "string" },
  );
  const only = text("workspace");
  if (only !== null && !uuidSchema.safeParse(only).success) throw new CliFailure("--workspace expects a workspace ID");
  useInstalledDatabase(host);
  const reader = createAuthorityReader({ publicKeys: listPublicKeys, handovers: listHandovers });
  const found = await awaitAnswer(
    openRequests(reader, only).catch((error: unknown) => {
      throw isAuthorityError(error) ? new CliFailure(error.message, error) : error;
    }),
  );
  if (isConfirming) {
    const request = found.find(({ request: { id } }) => id === operand);
    if (!request) throw new CliFailure(`open request ${operand} not found`);
    await awaitAnswer(confirm(host, reader, request, flag("yes")));
  } else {
    for (const request of found) await host.out(lineOf(request));
  }

  return 0;
};

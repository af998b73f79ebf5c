import { AppError } from "@/lib/errors";
import { describeRefusal, refuse } from "@/lib/refusal";
import { systemClock } from "@/server/clock";
import { listOpenPromotions, promoteAsOperator, type OpenPromotion } from "@/server/runner/operator-promotion";
import { listHandovers, listPublicKeys } from "@/server/security/trust-anchor";
import { createAuthorityReader } from "@/server/store/trust/authority";
import { parseArguments } from "./arguments";
import { CliFailure, type CliCommand } from "./host";
import { demandSigner, useInstalledDatabase } from "./installed";
import { awaitBelieved, listWorkspaces } from "./policy";
import { formatJsonLine } from "./problem";

type Found = OpenPromotion & { readonly workspace: string };

const lineOf = ({ workspace, id, status, environment, version, base, by, atMs, answerableBy, found }: Found): string =>
  formatJsonLine({
    workspace,
    id,
    status,
    environment,
    graph: found?.version.graphId ?? null,
    hash: version,
    base,
    asked_by: by,
    asked_at: atMs,
    answerable_by: [...answerableBy],
    widens: found?.facts.widens ?? null,
  });

const explain = (status: OpenPromotion["status"], { id, answerableBy }: Pick<Found, "id" | "answerableBy">): string | null => {
  if (status === "operator") return null;
  if (status === "own_version") return `the operator asked for promotion ${id}, so a builder must approve it`;
  if (status === "waits") return `the operator cannot approve promotion ${id}: ${answerableBy.join(", ")} can answer it`;

  return `promotion ${id} is void: ${describeRefusal(refuse(status))}`;
};

export const runPromotionsCommand: CliCommand = async (argv, host) => {
  const isConfirming = argv[0] === "confirm";
  const { operand, text, flag } = parseArguments(
    isConfirming ? argv.slice(1) : argv,
    isConfirming ? "request" : null,
    isConfirming ? { workspace: "string", yes: "boolean" } : { workspace: "string" },
  );
  useInstalledDatabase(host);
  const reader = createAuthorityReader({ publicKeys: listPublicKeys, handovers: listHandovers });
  const all: Found[] = [];
  for (const workspace of await listWorkspaces(text("workspace"))) {
    for (const open of await awaitBelieved(listOpenPromotions(reader, workspace))) all.push({ ...open, workspace });
  }
  if (!isConfirming) {
    for (const open of all) await host.out(lineOf(open));

    return 0;
  }
  const open = all.find(({ id }) => id === operand);
  if (!open) throw new CliFailure(`open promotion ${operand} not found`);
  const objection = explain(open.status, open);
  if (objection !== null) throw new CliFailure(objection);
  if (!flag("yes")) {
    await host.out(lineOf(open));
    throw new CliFailure(`this would promote to ${open.environment} without a second person: run again with --yes to confirm`);
  }
  const signing = { clock: systemClock, signer: demandSigner(host.home) };
  const refused = await awaitBelieved(promoteAsOperator(signing, reader, open.workspace, open.id)).catch((error: unknown) => {
    throw error instanceof AppError ? new CliFailure(`nothing was promoted: ${error.message}`, error) : error;
  });
  const late = refused && explain(refused, open);
  if (late) throw new CliFailure(late);
  await host.out(lineOf({ ...open, status: "operator" }));

  return 0;
};

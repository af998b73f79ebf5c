import { needsSecondPerson } from "@/lib/architect/second-person";
import type { RunEvent } from "@/lib/engine/event";
import { countersign } from "@/lib/engine/ledger/passkey-fold";
import type { Principal } from "@/lib/engine/principal";
import { findLive, type EnvironmentFold } from "@/lib/environments/environment-fold";
import { decidePromotion, findPromotion, type Promotion, type PromotionCommand, type StandingFacts } from "@/lib/environments/promotion";
import { AppError } from "@/lib/errors";
import { listVariables } from "@/lib/graph/variables";
import type { RefusalCode } from "@/lib/refusal";
import { ownOrigin } from "@/server/own-origin";
import { signOwnRecord } from "@/server/runner/admin-ledger";
import { getStandingPolicy } from "@/server/runner/approval-policy";
import { confirmApprovers } from "@/server/runner/confirm-approvers";
import { confirmEnvironments } from "@/server/runner/confirm-environments";
import { confirmPins } from "@/server/runner/confirm-pins";
import type { RunnerDeps } from "@/server/runner/deps";
import { readVariables } from "@/server/runner/environments";
import { identifyAttempt, isPrincipal, unlessUnproved } from "@/server/runner/identify";
import type { OpenedCommand } from "@/server/runner/open-command";
import { findVersion } from "@/server/runner/version";
import { listNumbers } from "@/server/store/graphs/live";
import { listContributors } from "@/server/store/graphs/publish-requests";
import { findPublishRequester } from "@/server/store/people/principals";
import type { ExecutedVersion } from "@/server/store/graphs/versions";
import { appendDecided, type LedgerTransaction } from "@/server/store/runs/attempts";
import type { AuthorityReader } from "@/server/store/trust/authority";
import { projectLiveTriggers } from "@/server/store/triggers/live";

export type Case = { readonly version: ExecutedVersion; readonly facts: StandingFacts };

/** From confirmed versions. @throws ProjectionMismatch, AuthorityUnverified */
export const findCase = async (
  authority: AuthorityReader,
  workspaceId: string,
  fold: EnvironmentFold,
  { environment, version: hash }: Promotion,
): Promise<Case | null> => {
  const version = await findVersion(authority, workspaceId, hash);
  if (!version) return null;
  const numbers = await listNumbers(workspaceId, version.graphId);
  const live = findLive(
    fold,
    environment,
    numbers.map((one) => one.hash),
  );
  const base = live === null ? null : await findVersion(authority, workspaceId, live);
  if (live !== null && !base) return null;
  const variables = await readVariables(authority, workspaceId, environment, await authority.read(workspaceId));
  const { involved, byArchitect } = await listContributors(workspaceId, version.graphId, { after: base?.hash ?? null, to: hash });
  const facts = {
    live,
    widens: needsSecondPerson(version.published, base?.published ?? null, byArchitect).needed,
    involved: [...new Set([version.authorId, ...involved])],
    missing: listVariables(version.published).filter((name) => !Object.hasOwn(variables, name)),
  };

  return numbers.some((one) => one.hash === hash) ? { version, facts } : null;
};

/** @throws AppError graph_invalid */
export const confirmUsable = async (authority: AuthorityReader, workspaceId: string, { published }: ExecutedVersion): Promise<void> => {
  await confirmPins(authority, workspaceId, published.tools);
  await confirmApprovers(authority, workspaceId, published);
  await confirmEnvironments(authority, workspaceId, published);
};

const STEPS = {
  promote: "promoted",
  promotion_ask: "asked",
  promotion_approve: "promoted",
  promotion_decline: "declined",
} as const satisfies Record<PromotionCommand["kind"], string>;

const sign = async (
  { authority }: RunnerDeps,
  workspace: string,
  user: string,
  asked: PromotionCommand,
  environment: string,
  client: LedgerTransaction,
): Promise<readonly RunEvent[] | RefusalCode> => {
  if (asked.kind !== "promotion_approve") return [];
  const { request, version: hash, assertion } = asked;
  const { inForce } = await getStandingPolicy(authority, workspace, environment);
  if (inForce === "write" && !assertion) return "passkey_required";
  const { passkeys } = await authority.read(workspace, client);
  const signed = countersign(passkeys, { workspace, user, origin: ownOrigin() }, { kind: "publish_approve", request, hash }, assertion);

  return signed.ok ? (signed.value ? [signed.value] : []) : signed.error;
};

const findGranted = async ({ authority, clock }: RunnerDeps, workspaceId: string, by: Principal, graphId: string) => {
  if (by.type !== "agent") return null;
  const requester = await findPublishRequester(authority, workspaceId, { tokenId: by.token, graphId }, clock.now());

  return requester?.isAccount ? requester.environments : null;
};

type Outcome = { readonly events: readonly RunEvent[]; readonly promoted: ExecutedVersion | null };

const decide = async (
  deps: RunnerDeps,
  { workspaceId, id }: OpenedCommand,
  by: Principal,
  asked: PromotionCommand,
  client: LedgerTransaction,
): Promise<Outcome | RefusalCode> => {
  const { environments: fold } = await deps.authority.read(workspaceId, client);
  const promotion = findPromotion(asked, fold);
  const found = promotion && (await findCase(deps.authority, workspaceId, fold, promotion));
  if (!promotion || !found) return by.type === "user" || by.type === "agent" ? "not_found" : "principal_not_allowed";
  const { version: executed, facts } = found;
  const granted = await findGranted(deps, workspaceId, by, executed.graphId);
  const refused = decidePromotion(by, asked, fold, promotion, { ...facts, granted });
  if (refused) return refused;
  if (asked.kind !== "promotion_decline") await confirmUsable(deps.authority, workspaceId, executed);
  const signed = by.type === "user" ? await sign(deps, workspaceId, by.id, asked, promotion.environment, client) : [];
  if (typeof signed === "string") return signed;
  const { environment, version, base } = promotion;
  const request = asked.kind === "promote" ? id : asked.request;
  const step = STEPS[asked.kind];

  return {
    events: [{ type: "version_promotion", step, request, environment, version, base }, ...signed],
    promoted: step === "promoted" ? executed : null,
  };
};

const refuseUnusable = (error: unknown): RefusalCode => {
  if (error instanceof AppError) return error.refusal ?? "graph_invalid";
  throw error;
};

/** @param author as of opening the command */
export const carryOutPromotion = async (
  deps: RunnerDeps,
  command: OpenedCommand,
  author: Principal,
  asked: PromotionCommand,
): Promise<void> => {
  const { workspaceId: workspace, id } = command;
  await appendDecided(workspace, id, async (client) => {
    const identified = await identifyAttempt(deps, command);
    const by = isPrincipal(identified) ? identified : null;
    const outcome = by
      ? await unlessUnproved(decide(deps, command, by, asked, client).catch(refuseUnusable))
      : ("principal_not_allowed" as const);
    const proposal = { id, workspace, at: deps.clock.now(), principal: by ?? author, body: asked };

    return {
      sign: signOwnRecord(deps, proposal, typeof outcome === "string" ? outcome : outcome.events),
      project: async () => {
        if (typeof outcome === "string" || !outcome.promoted) return;
        const { environments } = await deps.authority.read(workspace, client);
        await projectLiveTriggers(client, workspace, environments, outcome.promoted.graphId);
      },
    };
  });
  deps.notify(command.runId);
};

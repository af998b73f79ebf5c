import { checkAsked, checkRequest, listAskers, type Promotion } from "@/lib/environments/promotion";
import type { PromotionRequest } from "@/lib/environments/environment-fold";
import { AppError } from "@/lib/errors";
import { OPERATOR_ID } from "@/lib/operator";
import type { RefusalCode } from "@/lib/refusal";
import { ENGINE, signOwnRecord, type AdminSigning } from "@/server/runner/admin-ledger";
import { confirmUsable, findCase, type Case } from "@/server/runner/promotion";
import { listSecondPeople } from "@/server/store/graphs/publish-requests";
import { appendOwnRecord, appendOwnRecords } from "@/server/store/runs/attempts";
import { projectLiveTriggers } from "@/server/store/triggers/live";
import type { AuthorityReader } from "@/server/store/trust/authority";

/** `operator`: no member can answer; `own_version`: nor can the operator. Other refusals: something changed since. */
type PromotionStanding = "waits" | "operator" | RefusalCode;

export type OpenPromotion = PromotionRequest & {
  readonly id: string;
  readonly status: PromotionStanding;
  readonly answerableBy: readonly string[];
  readonly found: Case | null;
};

const standingOf = async (authority: AuthorityReader, workspace: string, id: string, request: PromotionRequest): Promise<OpenPromotion> => {
  const { environments: fold } = await authority.read(workspace);
  const found = await findCase(authority, workspace, fold, request);
  const refused = found ? checkAsked(fold, request, found.facts) : "not_found";
  const involved = found ? listAskers(fold, id, found.facts) : [];
  const people = found ? await listSecondPeople(authority, workspace, involved) : [];
  const own = request.by === OPERATOR_ID ? "own_version" : "operator";
  const status = refused ?? (people.length > 0 ? "waits" : own);

  return { ...request, id, status, answerableBy: people.map(({ name }) => name), found };
};

export const listOpenPromotions = async (authority: AuthorityReader, workspace: string): Promise<readonly OpenPromotion[]> => {
  const { requests } = (await authority.read(workspace)).environments;

  return Promise.all([...requests].map(([id, request]) => standingOf(authority, workspace, id, request)));
};

/** @returns why not, if so @throws AppError graph_invalid, ProjectionMismatch, AuthorityUnverified */
export const promoteAsOperator = async (
  signing: AdminSigning,
  authority: AuthorityReader,
  workspace: string,
  id: string,
): Promise<PromotionStanding | null> => {
  let isPromoted = false;
  let standing: PromotionStanding = "not_found";
  await appendOwnRecords(workspace, async (client) => {
    const { environments: fold } = await authority.read(workspace, client);
    const asked = fold.requests.get(id);
    const open = asked && (await standingOf(authority, workspace, id, asked));
    standing = open?.status ?? "not_found";
    if (!open?.found || standing !== "operator") return [];
    const { environment, version, base, found } = open;
    await confirmUsable(authority, workspace, found.version);
    const { clock } = signing;
    const body = { kind: "promotion_approve", request: id, version } as const;
    const event = { type: "version_promotion", step: "promoted", request: id, environment, version, base } as const;

    const proposal = { id: clock.id(), workspace, at: clock.now(), principal: ENGINE, body };
    await appendOwnRecord(client, workspace, signOwnRecord(signing, proposal, event));
    await projectLiveTriggers(client, workspace, (await authority.read(workspace, client)).environments, found.version.graphId);
    isPromoted = true;

    return [];
  });

  return isPromoted ? null : standing;
};

/** Asks members to promote. @returns the request's id @throws AppError, ProjectionMismatch, AuthorityUnverified */
export const askAsOperator = async (
  { clock, signer }: AdminSigning,
  authority: AuthorityReader,
  workspace: string,
  asked: Promotion,
): Promise<string> => {
  const request = clock.id();
  await appendOwnRecords(workspace, async (client) => {
    const { environments: fold } = await authority.read(workspace, client);
    const found = await findCase(authority, workspace, fold, asked);
    const refused = found ? (checkAsked(fold, asked, found.facts) ?? checkRequest(ENGINE, request, fold)) : "not_found";
    if (!found || refused) throw new AppError("refused", { refusal: refused ?? "not_found" });
    await confirmUsable(authority, workspace, found.version);
    const event = { type: "version_promotion", step: "asked", request, ...asked } as const;
    const body = { kind: "promotion_ask", request, ...asked } as const;
    const proposal = { id: request, workspace, at: clock.now(), principal: ENGINE, body };

    return [signOwnRecord({ signer }, proposal, event)];
  });

  return request;
};

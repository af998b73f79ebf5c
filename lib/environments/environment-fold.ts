import type { LedgerRecord } from "@/lib/engine/ledger/record";
import type { RunEvent } from "@/lib/engine/event";
import type { Principal } from "@/lib/engine/principal";
import { OPERATOR_ID } from "@/lib/operator";
import { isAllowed } from "@/lib/roles";
import { DEFAULT_ENVIRONMENTS, getFirst, type Environment } from "@/lib/environments/environment";

export type PromotionRequest = {
  readonly environment: string;
  readonly version: string;
  readonly base: string | null;
  /** A token's owner. */
  readonly by: string;
  readonly token?: string;
  /** ms since 1970. */
  readonly atMs: number;
};

export type AnsweredPromotion = PromotionRequest & { readonly status: "approved" | "declined" | "superseded" };

export type EnvironmentFold = {
  readonly list: readonly Environment[];
  readonly isSet: boolean;
  /** By environment: the versions in it, by hash, with the record that put them there. */
  readonly versions: ReadonlyMap<string, ReadonlyMap<string, number>>;
  readonly requests: ReadonlyMap<string, PromotionRequest>;
  readonly answered: ReadonlyMap<string, AnsweredPromotion>;
};

export const NO_ENVIRONMENTS: EnvironmentFold = {
  list: DEFAULT_ENVIRONMENTS,
  isSet: false,
  versions: new Map(),
  requests: new Map(),
  answered: new Map(),
};

/** Steps of a version; others are of requests. Adoption keeps no order. */
const PUBLISHED: readonly string[] = ["published", "adopted"];

const withVersion = (fold: EnvironmentFold, environment: string, hash: string, seq: number): EnvironmentFold => ({
  ...fold,
  versions: new Map(fold.versions).set(environment, new Map(fold.versions.get(environment)).set(hash, seq)),
});

const answerRequest = (fold: EnvironmentFold, id: string, status: AnsweredPromotion["status"]): EnvironmentFold => {
  const requests = new Map(fold.requests);
  const request = requests.get(id);
  if (!request) return fold;
  requests.delete(id);

  return { ...fold, requests, answered: new Map(fold.answered).set(id, { ...request, status }) };
};

const findSender = (principal: Principal): Pick<PromotionRequest, "by" | "token"> | null => {
  if (principal.type === "engine") return { by: OPERATOR_ID };
  if (principal.type === "agent") return { by: principal.owner, token: principal.token };

  return principal.type === "user" && isAllowed(principal.role, "graph.publish") ? { by: principal.id } : null;
};

const foldPromotion = (
  fold: EnvironmentFold,
  { principal, seq, at: atMs }: LedgerRecord,
  { step, request, environment, version, base }: Extract<RunEvent, { type: "version_promotion" }>,
): EnvironmentFold => {
  const open = fold.requests.get(request);
  const sender = findSender(principal);
  if (!sender) return fold;
  if (step === "asked") {
    const asked = { environment, version, base, ...sender, atMs };

    return open ? fold : { ...fold, requests: new Map(fold.requests).set(request, asked) };
  }
  // Accounts only ask; the operator also approves requests of others.
  if (principal.type === "agent" || (principal.type === "engine" && (step === "declined" || !open))) return fold;
  if (step === "declined") return answerRequest(fold, request, "declined");
  // The asker is no second person.
  if (open && (open.by === sender.by || open.version !== version || open.environment !== environment)) return fold;

  return withVersion(answerRequest(fold, request, "approved"), environment, version, seq);
};

const foldEvent = (fold: EnvironmentFold, record: LedgerRecord, event: RunEvent): EnvironmentFold => {
  const { principal, seq } = record;
  if (event.type === "version_promotion") return foldPromotion(fold, record, event);
  if (event.type === "environments_changed") {
    if (principal.type !== "user" || !isAllowed(principal.role, "people.manage")) return fold;
    const kept = new Set(event.environments.map(({ id }) => id));
    const lost = [...fold.requests].filter(([, { environment }]) => !kept.has(environment));

    return {
      ...lost.reduce((left, [id]) => answerRequest(left, id, "superseded"), fold),
      list: event.environments,
      isSet: true,
      versions: new Map([...fold.versions].filter(([id]) => kept.has(id))),
    };
  }
  if (event.type === "admin_changed" && event.area === "versions" && event.after !== null && PUBLISHED.includes(event.step))
    return withVersion(fold, getFirst(fold.list), event.subject, event.step === "adopted" ? -1 : seq);

  return fold;
};

export const foldEnvironments = (before: EnvironmentFold, record: LedgerRecord): EnvironmentFold =>
  record.control.reduce((fold, event) => foldEvent(fold, record, event), before);

export const hasVersion = ({ versions }: EnvironmentFold, environment: string, hash: string): boolean =>
  versions.get(environment)?.has(hash) === true;

/** The version that came last. @param hashes newest first */
export const findLive = ({ versions }: EnvironmentFold, environment: string, hashes: readonly string[]): string | null => {
  const there = versions.get(environment);
  const found = hashes.flatMap((hash) => {
    const seq = there?.get(hash);

    return seq === undefined ? [] : [{ hash, seq }];
  });

  return found.toSorted((a, b) => b.seq - a.seq)[0]?.hash ?? null;
};

/** @param hashes newest first */
export const findCurrent = (fold: EnvironmentFold, environment: string, hashes: readonly string[]): string | null =>
  fold.isSet ? findLive(fold, environment, hashes) : (hashes[0] ?? null);

export type LiveVersion = { readonly environment: string; readonly hash: string };

/** The last environment first. */
export const listLive = (fold: EnvironmentFold, hashes: readonly string[]): readonly LiveVersion[] =>
  fold.list.toReversed().flatMap(({ id: environment }) => {
    const hash = findCurrent(fold, environment, hashes);

    return hash === null ? [] : [{ environment, hash }];
  });

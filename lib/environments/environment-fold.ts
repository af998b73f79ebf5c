import type { LedgerRecord } from "@/lib/engine/ledger/record";
import type { RunEvent } from "@/lib/engine/event";
import { isAllowed } from "@/lib/roles";
import { DEFAULT_ENVIRONMENTS, getFirst, type Environment } from "@/lib/environments/environment";

export type PromotionRequest = {
  readonly environment: string;
  readonly version: string;
  readonly base: string | null;
  readonly by: string;
  /** ms since 1970. */
  readonly atMs: number;
};

export type EnvironmentFold = {
  readonly list: readonly Environment[];
  readonly isSet: boolean;
  /** By environment: the versions in it, by hash, with the record that put them there. */
  readonly versions: ReadonlyMap<string, ReadonlyMap<string, number>>;
  readonly requests: ReadonlyMap<string, PromotionRequest>;
};

export const NO_ENVIRONMENTS: EnvironmentFold = { list: DEFAULT_ENVIRONMENTS, isSet: false, versions: new Map(), requests: new Map() };

/** Steps of a version; others are of requests. Adoption keeps no order. */
const PUBLISHED: readonly string[] = ["published", "adopted"];

const withVersion = (fold: EnvironmentFold, environment: string, hash: string, seq: number): EnvironmentFold => ({
  ...fold,
  versions: new Map(fold.versions).set(environment, new Map(fold.versions.get(environment)).set(hash, seq)),
});

const withoutRequest = (fold: EnvironmentFold, request: string): EnvironmentFold => {
  const requests = new Map(fold.requests);
  requests.delete(request);

  return { ...fold, requests };
};

const foldPromotion = (
  fold: EnvironmentFold,
  { principal, seq, at: atMs }: LedgerRecord,
  { step, request, environment, version, base }: Extract<RunEvent, { type: "version_promotion" }>,
): EnvironmentFold => {
  const open = fold.requests.get(request);
  if (principal.type === "engine") {
    const isApproved = step === "promoted" && open?.version === version && open.environment === environment;

    return isApproved ? withVersion(withoutRequest(fold, request), environment, version, seq) : fold;
  }
  if (principal.type !== "user" || !isAllowed(principal.role, "graph.publish")) return fold;
  if (step === "asked") {
    const asked = { environment, version, base, by: principal.id, atMs };

    return open ? fold : { ...fold, requests: new Map(fold.requests).set(request, asked) };
  }
  if (step === "declined") return withoutRequest(fold, request);
  // The asker is no second person.
  if (open && (open.by === principal.id || open.version !== version || open.environment !== environment)) return fold;

  return withVersion(withoutRequest(fold, request), environment, version, seq);
};

const foldEvent = (fold: EnvironmentFold, record: LedgerRecord, event: RunEvent): EnvironmentFold => {
  const { principal, seq } = record;
  if (event.type === "version_promotion") return foldPromotion(fold, record, event);
  if (event.type === "environments_changed") {
    if (principal.type !== "user" || !isAllowed(principal.role, "people.manage")) return fold;
    const kept = new Set(event.environments.map(({ id }) => id));

    return {
      list: event.environments,
      isSet: true,
      versions: new Map([...fold.versions].filter(([id]) => kept.has(id))),
      requests: new Map([...fold.requests].filter(([, { environment }]) => kept.has(environment))),
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

export type LiveVersion = { readonly environment: string; readonly hash: string };

/** The last environment first. */
export const listLive = (fold: EnvironmentFold, hashes: readonly string[]): readonly LiveVersion[] =>
  fold.list.toReversed().flatMap(({ id: environment }) => {
    const hash = fold.isSet ? findLive(fold, environment, hashes) : (hashes[0] ?? null);

    return hash === null ? [] : [{ environment, hash }];
  });

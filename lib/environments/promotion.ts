/** Requests are in signed records alone, so that no row can make one. */
import { z } from "zod";
import { assertionSchema } from "@/lib/engine/approvals/assertion";
import type { Principal } from "@/lib/engine/principal";
import type { EnvironmentFold } from "@/lib/environments/environment-fold";
import { hasVersion } from "@/lib/environments/environment-fold";
import { hexDigestSchema, type HexDigest } from "@/lib/hash";
import { idSchema, uuidSchema } from "@/lib/ids";
import type { RefusalCode } from "@/lib/refusal";
import { isAllowed } from "@/lib/roles";

/** `base`: live there as on screen; null: none. */
const place = { environment: idSchema, version: hexDigestSchema, base: hexDigestSchema.nullable() };

export const promotionCommandSchema = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("promote"), ...place }),
  z.strictObject({ kind: z.literal("promotion_ask"), request: uuidSchema, ...place }),
  /** `assertion`: the second person's passkey, where writes need one. */
  z.strictObject({
    kind: z.literal("promotion_approve"),
    request: uuidSchema,
    version: hexDigestSchema,
    assertion: assertionSchema.exactOptional(),
  }),
  z.strictObject({ kind: z.literal("promotion_decline"), request: uuidSchema }),
]);
export type PromotionCommand = z.infer<typeof promotionCommandSchema>;

export type Promotion = { readonly environment: string; readonly version: HexDigest; readonly base: HexDigest | null };

export type StandingFacts = {
  readonly live: HexDigest | null;
  readonly widens: boolean;
  readonly involved: readonly string[];
  readonly missing: readonly string[];
};

export type PromotionFacts = StandingFacts & {
  /** Environments of the service account that asks, none: all; null: it may not ask. */
  readonly granted: readonly string[] | null;
};

const MOST_OPEN = 50;
const MOST_OPEN_OF_ACCOUNT = 10;

export const findPromotion = (command: PromotionCommand, { requests }: EnvironmentFold): Promotion | null => {
  if (command.kind === "promote" || command.kind === "promotion_ask") return command;

  return requests.get(command.request) ?? null;
};

const isNext = (fold: EnvironmentFold, { environment, version }: Promotion): boolean => {
  const before = fold.list[fold.list.findIndex(({ id }) => id === environment) - 1];

  return hasVersion(fold, environment, version) || (before !== undefined && hasVersion(fold, before.id, version));
};

export const listAskers = ({ requests }: EnvironmentFold, request: string, { involved }: StandingFacts): readonly string[] => [
  ...involved,
  ...(requests.get(request) ? [requests.get(request)?.by ?? ""] : []),
];

export const checkAsked = (fold: EnvironmentFold, asked: Promotion, { live, missing }: StandingFacts): RefusalCode | null => {
  if (!fold.list.some(({ id }) => id === asked.environment)) return "environment_unknown";
  if (live !== asked.base || live === asked.version) return "version_moved";
  if (!isNext(fold, asked)) return "promotion_order";

  return missing.length > 0 ? "variable_missing" : null;
};

const checkSender = (by: Principal, command: PromotionCommand, { granted }: PromotionFacts): RefusalCode | null => {
  if (by.type === "user") return isAllowed(by.role, "graph.publish") ? null : "principal_not_allowed";
  if (by.type !== "agent" || command.kind !== "promotion_ask" || !granted) return "principal_not_allowed";

  return granted.length === 0 || granted.includes(command.environment) ? null : "environment_not_granted";
};

export const checkRequest = (by: Principal, id: string, { requests, answered }: EnvironmentFold): RefusalCode | null => {
  if (requests.has(id) || answered.has(id)) return "version_moved";
  const own = [...requests.values()].filter(({ token }) => token !== undefined && by.type === "agent" && token === by.token);

  return requests.size >= MOST_OPEN || own.length >= MOST_OPEN_OF_ACCOUNT ? "promotion_limit" : null;
};

export const decidePromotion = (
  by: Principal,
  command: PromotionCommand,
  fold: EnvironmentFold,
  asked: Promotion | null,
  facts: PromotionFacts,
): RefusalCode | null => {
  const objection = checkSender(by, command, facts);
  if (objection) return objection;
  if (!asked) return "not_found";
  if (command.kind === "promotion_decline") return null;
  const refused = checkAsked(fold, asked, facts);
  if (refused) return refused;
  switch (command.kind) {
    case "promote":
      return facts.widens ? "second_person_missing" : null;
    case "promotion_ask":
      return checkRequest(by, command.request, fold);
    case "promotion_approve": {
      if (command.version !== asked.version) return "version_moved";
      const asker = fold.requests.get(command.request)?.by;

      return by.type !== "user" || asker === by.id || facts.involved.includes(by.id) ? "own_version" : null;
    }
    default:
      return command satisfies never;
  }
};

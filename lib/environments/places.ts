/** `numbers`: versions of a graph, newest first. */
import {
  findCurrent,
  findLive,
  type AnsweredPromotion,
  type EnvironmentFold,
  type PromotionRequest,
} from "@/lib/environments/environment-fold";

type Numbered = { readonly hash: string; readonly number: number };

export type GraphPlace = { readonly id: string; readonly title: string; readonly version: Numbered | null };

/** In order of promotion. */
export const listPlaces = (fold: EnvironmentFold, numbers: readonly Numbered[]): GraphPlace[] => {
  const hashes = numbers.map(({ hash }) => hash);

  return fold.list.map(({ id, title }) => {
    const live = findCurrent(fold, id, hashes);

    return { id, title, version: numbers.find(({ hash }) => hash === live) ?? null };
  });
};

type GraphPromotion = PromotionRequest & { readonly id: string; readonly status: AnsweredPromotion["status"] | "open" };

/** Newest first. */
export const listPromotions = (fold: EnvironmentFold, numbers: readonly Numbered[]): GraphPromotion[] => {
  const hashes = numbers.map(({ hash }) => hash);
  const open = [...fold.requests].map(([id, request]): GraphPromotion => {
    const isOvertaken = findLive(fold, request.environment, hashes) !== request.base;

    return { id, ...request, status: isOvertaken ? "superseded" : "open" };
  });
  const answered = [...fold.answered].map(([id, request]): GraphPromotion => ({ id, ...request }));

  return [...open, ...answered].filter(({ version }) => hashes.includes(version)).toSorted((a, b) => b.atMs - a.atMs);
};

import { z } from "zod";
import { idSchema } from "@/lib/ids";

export const MOST_ENVIRONMENTS = 10;

/** Its id appears in records; its title may change. */
export const environmentSchema = z.strictObject({ id: idSchema, title: z.string().trim().min(1).max(60) });
export type Environment = z.infer<typeof environmentSchema>;

/** In order of promotion: versions are published into the first, and runs start in the last. */
export const environmentsSchema = z.array(environmentSchema).min(1).max(MOST_ENVIRONMENTS);

export const DEFAULT_ENVIRONMENTS: readonly Environment[] = [{ id: "production", title: "Production" }];

export const getFirst = (environments: readonly Environment[]): string => environments[0]?.id ?? "";

export const getLast = (environments: readonly Environment[]): string => environments.at(-1)?.id ?? "";

/** A lowered policy was for this place: same title and order, newly neither first (publications) nor last (default of starts). */
export const keepsPlace = (was: readonly Environment[], now: readonly Environment[], id: string): boolean => {
  const listShared = (own: readonly Environment[], other: readonly Environment[]): string =>
    own.flatMap((one) => (other.some((another) => another.id === one.id) ? [one.id] : [])).join(" ");
  const isNewly = (getId: (list: readonly Environment[]) => string): boolean => getId(now) === id && getId(was) !== id;
  const title = was.find((one) => one.id === id)?.title;

  return (
    now.some((one) => one.id === id && one.title === title) &&
    listShared(was, now) === listShared(now, was) &&
    !isNewly(getFirst) &&
    !isNewly(getLast)
  );
};

/** Runs from before have the default one. */
export const getRunEnvironment = (start: { readonly environment?: string | undefined } | null | undefined): string =>
  start?.environment ?? getFirst(DEFAULT_ENVIRONMENTS);

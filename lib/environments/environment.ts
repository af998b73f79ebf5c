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

/** Runs from before have the default one. */
export const getRunEnvironment = (start: { readonly environment?: string | undefined } | null | undefined): string =>
  start?.environment ?? getFirst(DEFAULT_ENVIRONMENTS);

import type { World } from "./world";

export type Report = {
  /** An unapproved effect, record or disclosure. */
  readonly succeeded: boolean;
  /** Null: unnoticed. */
  readonly noticedAs: string | null;
};

export type Attack = {
  readonly name: string;
  readonly why: string;
  readonly run: (world: World) => Promise<Report>;
};

export const RUNGS = ["database", "web", "admin"] as const;
/** Any database statement; the web process's role and keys; an admin's account. */
export type Rung = (typeof RUNGS)[number];

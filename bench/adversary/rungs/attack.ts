/** Attack on a real installation, and its result. */
import type { World } from "./world";

export type Report = {
  /** By facts: an unapproved effect, record or disclosure. */
  readonly succeeded: boolean;
  /** Name under which the installation reports it; null: unnoticed. */
  readonly noticedAs: string | null;
};

export type Attack = {
  readonly name: string;
  readonly why: string;
  readonly run: (world: World) => Promise<Report>;
};

export const RUNGS = ["database", "web", "admin"] as const;
/** Means: any database statement; the web process's role and keys; or an admin's account. */
export type Rung = (typeof RUNGS)[number];

/** An attack program against a real installation, and what came of it. */
import type { World } from "./world";

export type Report = {
  /** By facts: something reached a tool, a ledger or a reader that no person had allowed. */
  readonly succeeded: boolean;
  /** The name by which the installation says that something is wrong; null: it says nothing. */
  readonly noticedAs: string | null;
};

export type Attack = {
  readonly name: string;
  /** What the attacker is after, in one sentence. */
  readonly why: string;
  readonly run: (world: World) => Promise<Report>;
};

export const RUNGS = ["database", "web", "admin"] as const;
/**
 * Whose hands the attacker has: any statement on the database; the web process's role, vault key and cookie key; or the
 * account of a workspace's admin.
 */
export type Rung = (typeof RUNGS)[number];

/** The record of a version that one person asked for and somebody else agreed to. */
import { versionDigest } from "@/lib/engine/ledger/settings-digests";
import type { AdminStep } from "@/server/admin-step";
import type { GraphVersionRow } from "@/server/store/graphs/versions";

/** Returns the subject that a publish request has in the workspace's own ledger. */
export const requestSubject = (request: string): string => `request:${request}`;

/** Describes the step that publishes a version, with the yes to its request beside it. */
export const approvedStep = (
  version: GraphVersionRow,
  request: string,
  step: "approved" | "approved_by_operator",
): Omit<AdminStep, "by" | "area"> => ({
  subject: version.hash,
  step: "published",
  before: null,
  after: versionDigest(version),
  also: [{ type: "admin_changed", area: "versions", subject: requestSubject(request), step, before: null, after: null }],
});

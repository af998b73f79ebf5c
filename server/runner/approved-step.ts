import { computeVersionDigest } from "@/lib/engine/ledger/settings-digests";
import type { AdminStep } from "@/server/admin-step";
import type { GraphVersionRow } from "@/server/store/graphs/versions";

export const requestSubject = (request: string): string => `request:${request}`;

export const buildApprovedStep = (
  version: GraphVersionRow,
  request: string,
  step: "approved" | "approved_by_operator",
): Omit<AdminStep, "by" | "area"> => ({
  subject: version.hash,
  step: "published",
  before: null,
  after: computeVersionDigest(version),
  also: [{ type: "admin_changed", area: "versions", subject: requestSubject(request), step, before: null, after: null }],
});

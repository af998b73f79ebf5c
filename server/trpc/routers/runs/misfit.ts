import { z } from "zod";
import { getShownTo } from "@/lib/engine/approvals/policy";
import { getPublished } from "@/lib/engine/forks/fork";
import { getPublishedHere } from "@/lib/engine/frame";
import { findMisfit } from "@/lib/engine/labels/misfit";
import { findWithheld } from "@/lib/engine/labels/reading";
import { listEntries } from "@/lib/engine/ledger/replay";
import { stateAt } from "@/lib/engine/timeline";
import { createProcedure } from "@/server/trpc/init";
import { openVerifiedWholeRun } from "@/server/web/open-run";

const MAX_CHARACTERS = 500;

const input = z.strictObject({ runId: z.uuid(), seq: z.number().int().min(1) });

/**
 * Says why a proposed value did not fit: field, expectation, and the value as far as the reader may see it. Demo inputs are ours, so
 * there a version's author sees the value.
 */
export const runsMisfit = createProcedure("run.read")
  .input(input)
  .query(async ({ ctx, input: { runId, seq } }) => {
    const { ledger, version, sealed } = await openVerifiedWholeRun(ctx.workspaceId, runId);
    const entries = listEntries(ledger);
    const entry = entries[seq];
    const { refusal = null, node = null } = entry?.signed.record ?? {};
    const attempt = entry?.values[0];
    if (refusal?.code !== "value_invalid" || node === null || attempt === undefined) return null;
    const before = stateAt(entries, seq - 1);
    const misfit = findMisfit(getPublishedHere(getPublished(version.published, before), before), before, node, attempt);
    if (misfit === null) return null;

    const clearance = ctx.isDemo && version.authorId === ctx.user.id ? "secret" : getShownTo(ctx.role);
    // A proposal made while a case is open may hold cells that it covers.
    const withheld = sealed.size > 0 ? "review" : findWithheld({ clearance, sealed }, { label: misfit.label, from: [{ seq, index: 0 }] });
    const foundIn = (value: unknown): string | null =>
      withheld === null ? (JSON.stringify(value) ?? "nothing").slice(0, MAX_CHARACTERS) : null;

    return {
      withheld,
      faults: misfit.faults.map(({ path, expected, value }) => ({
        path: [misfit.key, ...path].join("."),
        expected,
        found: foundIn(value),
      })),
    };
  });

import { z } from "zod";
import { buildApprovalView, type ApprovalView } from "@/lib/engine/approvals/approval-view";
import { findGatedTool } from "@/lib/engine/approvals/authority-class";
import { getSchemaAt, listTexts } from "@/lib/engine/approvals/argument-format";
import { describeCall } from "@/lib/engine/approvals/argument-text";
import { listTargets } from "@/lib/engine/approvals/looked-up";
import { canBeShown, getGateClearance } from "@/lib/engine/approvals/policy";
import { getPublishedHere } from "@/lib/engine/frame";
import { labelSchema, type Classification } from "@/lib/graph/label";
import { isJsonObject, ownMember, type JsonObject } from "@/lib/json";
import { placeKey } from "@/lib/leaves";
import { getLineName } from "@/lib/engine/labels/control-position";
import { AppError } from "@/lib/errors";
import type { Vault } from "@/server/security/vault";
import { getApproval } from "@/server/store/approvals/approvals";
import { loadDecidedCalls, type DecidedCall } from "@/server/store/approvals/history";
import { getNames } from "@/server/store/people/people";
import { createProcedure } from "@/server/trpc/init";
import { replayWhole } from "@/server/web/open-run";
import { getWebVault } from "@/server/web/web-vault";
import { sealedTo } from "./sealed";

const MOST_LOOKED_AT = 500;
const MOST_SHOWN = 20;

/** Arguments that the reader sees in the view. */
const shownArguments = ({ lines }: ApprovalView): JsonObject =>
  Object.fromEntries(
    lines.flatMap((line) => (line.op === "call" && line.after?.hidden === false ? [[getLineName(line), line.after.value]] : [])),
  );

const openArguments = (vault: Vault, workspace: string, call: DecidedCall, clearance: Classification): JsonObject | null => {
  const { runId: run, seq, index, path, label, sealed, wrappedKey } = call;
  if (!canBeShown(labelSchema.parse(JSON.parse(label)), clearance)) return null;
  const opened = vault.openCell({ workspace, run, seq, index, path, label }, { sealed, wrappedKey });
  const args = typeof opened === "string" ? undefined : ownMember(opened.value, "arguments");

  return isJsonObject(args) ? args : null;
};

const isAbout = (args: JsonObject, targets: JsonObject): boolean =>
  Object.entries(targets).every(([name, value]) => ownMember(args, name) === value);

/** Returns earlier decisions about the same target: calls of the same tool that name the same record, as far as the reader may know them. */
export const approvalsSimilar = createProcedure("approval.read")
  .input(z.strictObject({ approvalId: z.uuid() }))
  .query(async ({ ctx, input }) => {
    const approval = await getApproval(ctx.workspaceId, input.approvalId);
    if (!approval) throw new AppError("not_found");
    const { published, state, records, sealed } = await replayWhole(ctx.workspaceId, approval.runId);
    const gateState = state.gates[approval.id];
    const effect = gateState?.gate.transition.effect;
    if (!gateState) throw new AppError("not_found");
    const clearance = getGateClearance(ctx);
    const view = buildApprovalView(published, state, gateState, clearance, sealedTo(gateState, records, ctx.user.id, sealed));
    const schema = findGatedTool(getPublishedHere(published, state), gateState.gate)?.input_schema ?? {};
    const targets = listTargets(schema, shownArguments(view));
    if (!effect || Object.keys(targets).length === 0) return null;
    const decided = await loadDecidedCalls(ctx.workspaceId, effect.server, effect.tool, MOST_LOOKED_AT);
    const same = decided.flatMap((call) => {
      const args = call.id === approval.id ? null : openArguments(getWebVault(), ctx.workspaceId, call, clearance);

      return args && isAbout(args, targets) ? [{ call, args }] : [];
    });
    const shown = same.slice(0, MOST_SHOWN);

    return {
      targets,
      approved: same.filter(({ call }) => call.status === "approved").length,
      rejected: same.filter(({ call }) => call.status === "rejected").length,
      decisions: shown.map(({ call: { id, runId, graphName, status, resolvedAt, deciders }, args }) => ({
        id,
        runId,
        graphName,
        status,
        resolvedAt,
        deciders,
        summary: describeCall(
          effect.tool,
          schema,
          Object.entries(args).map(([name, value]) => ({
            name,
            value,
            text: listTexts(getSchemaAt(schema, [name]), value)[placeKey([])],
          })),
        ),
      })),
      people: await getNames(
        ctx.workspaceId,
        shown.flatMap(({ call }) => call.deciders),
      ),
    };
  });

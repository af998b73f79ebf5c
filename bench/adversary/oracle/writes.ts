/** W1, I1 and T1: what may be written to memory, by whom, and on whose word. */
import type { LedgerRecord } from "@/lib/engine/record";
import { effectiveReads, effectiveWrites } from "@/bench/adversary/grants";
import { VALID } from "@/bench/adversary/scenarios";
import { isCovered } from "@/bench/adversary/taint";
import { canonicalJson, FORBIDDEN_KEYS, isJsonObject, type Json } from "@/lib/json";
import { nodeOf, type Blame, type Seen } from "./seen";

const depthOf = (value: Json): number =>
  typeof value === "object" && value !== null ? 1 + Math.max(0, ...Object.values(value).map((item: Json) => depthOf(item))) : 0;

const hasForbidden = (value: Json): boolean =>
  typeof value === "object" &&
  value !== null &&
  Object.entries(value).some(([key, item]: [string, Json]) => (FORBIDDEN_KEYS as readonly string[]).includes(key) || hasForbidden(item));

const approvedHere = (seen: Seen, record: LedgerRecord) => {
  const resolved = record.control.find((event) => event.type === "gate_resolved" && event.outcome === "approved" && event.receipt !== null);

  return resolved?.type === "gate_resolved" ? seen.gates.get(resolved.approval_id) : undefined;
};

const wasShown = (pending: Json, path: string, value: Json) => {
  const updates = isJsonObject(pending) ? pending["updates"] : undefined;

  return Array.isArray(updates) && updates.some((update: Json) => canonicalJson(update) === canonicalJson({ path, value }));
};

const checkAuthority = (seen: Seen, record: LedgerRecord, path: string, value: Json, isProtected: boolean, blame: Blame): void => {
  const writer = record.principal.type === "executor" ? record.principal.node : undefined;
  const gate = approvedHere(seen, record);
  const node = nodeOf(seen, writer ?? gate?.gate.transition.node ?? null);
  const waits = isProtected || (node?.approval === "always" && node.kind !== "tool");
  if (!node) blame("W1", `nobody wrote ${path}`);
  else if (!isCovered(effectiveWrites(seen.scenario, node), path)) blame("W1", `${node.id} wrote ${path} without a grant`);
  if (waits && (gate?.gate.reason !== "protected_key" || !wasShown(gate.pending, path, value)))
    blame("I1", `${path} changed without a yes to it`);
};

export const checkWrite = (seen: Seen, record: LedgerRecord, { path, value }: { path: string; value: Json }, blame: Blame): void => {
  const [name = ""] = path.split(".");
  const key = seen.scenario.published.graph.memory.find((declared) => declared.key === name);
  const whole = isJsonObject(seen.memory) ? (seen.memory[name] ?? null) : null;
  if (!key || !VALID[name]?.(whole)) blame("W1", `${path} is not declared, or not valid`);
  if (key && (canonicalJson(whole).length > key.max_bytes || depthOf(whole) > key.max_depth)) blame("W1", `${path} is out of bounds`);
  if (hasForbidden(value)) blame("W1", `${path} has a forbidden member`);
  if (record.proposal_kind === "start") {
    seen.taint.wrote(path, false);

    return;
  }
  checkAuthority(seen, record, path, value, key?.protected === true, blame);
  const node = nodeOf(seen, seen.at);
  // What was approved was written before it waited; answers that came meanwhile did not shape it.
  const tainted = approvedHere(seen, record)?.tainted ?? seen.taint.visit(node ? effectiveReads(seen.scenario, node) : []);
  if (tainted && key?.min_integrity === "trusted") blame("T1", `${path} took an untrusted value`);
  seen.taint.wrote(path, tainted);
};

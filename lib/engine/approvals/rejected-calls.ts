/** Rejected calls: an answer to their model, not to be repeated. */
import { isJsonObject, ownMember, toCanonicalJson, type Json } from "@/lib/json";
import { toSkeleton } from "@/lib/sanitize/skeleton";
import { stripUnseen } from "@/lib/visible-name";
import type { GateReason } from "@/lib/engine/event";
import { isAbout, listEdits } from "@/lib/engine/approvals/edited";
import { findAside, getKnownValue, type GateState, type RunState } from "@/lib/engine/state";
import { computeArgumentsDigest } from "@/lib/engine/ledger/transition";
import type { PinnedTool } from "@/lib/graph/document";

/** Rejected calls of one visit; the last one fails it. */
export const MOST_REJECTIONS = 5;

/** Signs and leading dots say something else. */
const EDGES = /^[\s"']+|[\s"'.,;:!?]+$/gu;

const withPlainSpaces = (text: string): string => text.replaceAll(/\s+/gu, " ");

const spell = (text: string): string =>
  withPlainSpaces(toSkeleton(stripUnseen(withPlainSpaces(text.normalize("NFKC"))).toLowerCase()))
    .replaceAll(EDGES, "")
    .toLowerCase();

const isNothing = (value: Json): boolean =>
  value === null || value === "" || (typeof value === "object" && Object.keys(value).length === 0);

/** Ignores spelling: case, spaces, look-alikes, ending punctuation, numbers as text, empty members. */
const normalize = (value: Json): Json => {
  if (Array.isArray(value)) return value.map((item: Json) => normalize(item));
  if (isJsonObject(value)) {
    const members = Object.entries(value).map(([name, member]): [string, Json] => [name, normalize(member)]);

    return Object.fromEntries(members.filter(([, member]) => !isNothing(member)));
  }

  return typeof value === "string" || typeof value === "number" ? spell(String(value)) : value;
};

/** Rejecting an undo or a question's answer leaves the call alone. */
const ABOUT_CALLS: readonly GateReason[] = ["effect", "tainted_effect", "approval_node", "unclear_effect"];

const isRejected = ({ status, gate }: GateState): boolean =>
  status === "rejected" && gate.transition.effect !== null && ABOUT_CALLS.includes(gate.reason);

/** Returns the rejection of exactly this proposal, edits included. */
export const findRejection = (state: RunState, digest: string): GateState | undefined =>
  Object.values(state.gates).findLast((candidate) => isRejected(candidate) && isAbout(state, candidate, digest));

/** Values may be shredded, digests stay. */
const isSame = (state: RunState, { gate }: GateState, args: Json): boolean => {
  if (gate.transition.effect?.arguments_digest === computeArgumentsDigest(args)) return true;
  const before = ownMember(getKnownValue(findAside(state, `$pending.${gate.id}`).at(-1)), "arguments");

  return before !== undefined && toCanonicalJson(normalize(before)) === toCanonicalJson(normalize(args));
};

/** Returns the rejection of the same call, in any spelling. */
export const findRepeated = (state: RunState, { server, tool }: Pick<PinnedTool, "server" | "tool">, args: Json): GateState | undefined =>
  Object.values(state.gates).findLast(
    (candidate) =>
      isRejected(candidate) &&
      candidate.gate.transition.effect?.server === server &&
      candidate.gate.transition.effect.tool === tool &&
      listEdits(state, candidate).some((one) => isSame(state, one, args)),
  );

export const countRejections = (state: RunState): number =>
  Object.values(state.gates).filter(
    (candidate) =>
      isRejected(candidate) && (findAside(state, `$pending.${candidate.gate.id}`).at(-1)?.seq ?? 0) >= (state.activation ?? Infinity),
  ).length;

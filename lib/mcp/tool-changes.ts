import { isJsonObject, toCanonicalJson, type Json } from "@/lib/json";
import { isToolLabelled } from "./label-proposal";
import type { ToolLabels } from "@/lib/graph/document";
import type { ToolDefinition } from "./definition";
import { findWidenings } from "./widening";

export type MemberChange = { readonly at: string; readonly before: Json | null; readonly after: Json | null };

export type ToolChange = {
  readonly tool: string;
  readonly kind: "added" | "removed" | "changed";
  readonly members: readonly MemberChange[];
  readonly unlisted: number;
  readonly widenings: readonly string[];
};

const MOST_MEMBERS = 50;
const MAX_DEPTH = 24;

const step = (at: string, name: string): string => (at === "" ? name : `${at}.${name}`);

const isSame = (one: Json | undefined, other: Json | undefined): boolean =>
  one === undefined || other === undefined ? one === other : toCanonicalJson(one) === toCanonicalJson(other);

const findMemberChanges = (before: Json | undefined, after: Json | undefined, at: string, depth: number): readonly MemberChange[] => {
  if (isSame(before, after)) return [];
  if (depth >= MAX_DEPTH || !isJsonObject(before) || !isJsonObject(after)) return [{ at, before: before ?? null, after: after ?? null }];
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].toSorted();
  const member = (value: typeof before, name: string) => (Object.hasOwn(value, name) ? value[name] : undefined);

  return names.flatMap((name) => findMemberChanges(member(before, name), member(after, name), step(at, name), depth + 1));
};

const describeChange = (before: ToolDefinition, after: ToolDefinition): Omit<ToolChange, "tool"> => {
  const members = findMemberChanges(before, after, "", 0);
  const widenings = findWidenings(before.input_schema, after.input_schema).map(({ at, what }) => `${at || "it"} ${what}`);

  return { kind: "changed", members: members.slice(0, MOST_MEMBERS), unlisted: Math.max(0, members.length - MOST_MEMBERS), widenings };
};

const WHOLE = { members: [], unlisted: 0, widenings: [] };

export const findToolChanges = (before: readonly ToolDefinition[], after: readonly ToolDefinition[]): readonly ToolChange[] => {
  const [was, is] = [before, after].map((tools) => new Map(tools.map((tool) => [tool.name, tool])));
  const names = [...new Set([...before, ...after].map(({ name }) => name))].toSorted();

  return names.flatMap((tool): readonly ToolChange[] => {
    const [old, now] = [was?.get(tool), is?.get(tool)];
    if (!old) return [{ tool, kind: "added", ...WHOLE }];
    if (!now) return [{ tool, kind: "removed", ...WHOLE }];
    const change = describeChange(old, now);

    return change.members.length === 0 ? [] : [{ tool, ...change }];
  });
};

export type LabelOutcome = {
  readonly kept: readonly string[];
  /** Not labelled yet: treated as irreversible. */
  readonly unlabelled: readonly string[];
  readonly lost: readonly string[];
};

type Labelled = ToolLabels & { readonly name: string; readonly labelledAt: Date | null };

/** Labels follow a tool's name. */
export const findLabelOutcome = (tools: readonly Labelled[], after: readonly ToolDefinition[]): LabelOutcome => {
  const labelled = tools.filter(isToolLabelled).map(({ name }) => name);
  const names = after.map(({ name }) => name).toSorted();

  return {
    kept: names.filter((name) => labelled.includes(name)),
    unlabelled: names.filter((name) => !labelled.includes(name)),
    lost: labelled.filter((name) => !names.includes(name)).toSorted(),
  };
};

import { z } from "zod";
import { uuidSchema } from "@/lib/ids";

/** Appears in records and graph files, so a group cannot be renamed. */
export const groupNameSchema = z
  .string()
  .regex(/^[\p{L}\p{N}](?:[\p{L}\p{N} ._-]{0,58}[\p{L}\p{N}])?$/u, "Use up to 60 letters, digits, spaces, dots, hyphens or underscores.");

export const MOST_NAMED = 50;

/** By id: a database writer could change an e-mail address. */
export const approversSchema = z.strictObject({
  groups: z.array(groupNameSchema).max(MOST_NAMED).default([]),
  people: z.array(uuidSchema).max(MOST_NAMED).default([]),
});
export type Approvers = z.infer<typeof approversSchema>;

/** Of graph and workspace rules together. */
export const MOST_DEMANDS = 60;

/** `count` different people among the named must approve. */
export const demandSchema = z.strictObject({
  ...approversSchema.shape,
  count: z.number().int().min(1).max(10),
  /** Workspace rule that demands it; absent: the graph. */
  rule: uuidSchema.exactOptional(),
  /** From `at` (ms since 1970), once on record, the group counts too. */
  escalation: z.strictObject({ at: z.number().int().min(0), group: groupNameSchema }).exactOptional(),
});
export type Demand = z.infer<typeof demandSchema>;

/** A rule's escalation widens its own demand, the graph's the graph's. */
export const widenDemands = (
  demands: readonly Demand[],
  escalations: readonly { readonly group?: string; readonly rule?: string }[],
): Demand[] =>
  demands.map((demand) => {
    const { escalation, groups, rule } = demand;
    const isWider = escalation !== undefined && escalations.some((one) => one.group === escalation.group && one.rule === rule);

    return isWider ? { ...demand, groups: [...new Set([...groups, escalation.group])] } : demand;
  });

/** `groups`: those the person is in. */
export type GroupMember = { readonly id: string; readonly groups: readonly string[] };

export const isNamedBy = ({ groups, people }: Approvers, person: GroupMember): boolean =>
  people.includes(person.id) || groups.some((group) => person.groups.includes(group));

/** Returns whether unnamed people may decide too: only rules name people, and the quorum has further places. */
export const isOpenBeside = ({ quorum, demands }: { readonly quorum: number; readonly demands?: readonly Demand[] }): boolean =>
  demands === undefined || demands.every(({ rule, count }) => rule !== undefined && count < quorum);

const isMet = (demand: Demand, people: readonly GroupMember[]): boolean =>
  new Set(people.flatMap((person) => (isNamedBy(demand, person) ? [person.id] : []))).size >= demand.count;

/** Returns whether these people meet all demands. One may count towards several. */
export const areMet = (demands: readonly Demand[], people: readonly GroupMember[]): boolean =>
  demands.every((demand) => isMet(demand, people));

export const MOST_DELEGATIONS = 3;

/** Place to decide in, by the signed records. */
export type Seat = {
  /** Nearest first; the last one counts. Empty: own place. */
  readonly for: readonly string[];
  /** Groups of the one who counts. */
  readonly groups: readonly string[];
};

export type Taken = { readonly user: string; readonly groups?: readonly string[]; readonly for?: readonly string[] };

export const whoCounts = ({ user, groups = [], for: chain = [] }: Taken): GroupMember => ({ id: chain.at(-1) ?? user, groups });

type Asked = {
  readonly demands: readonly Demand[];
  readonly quorum: number;
  readonly earlier: readonly Taken[];
  readonly isBarred: (person: string) => boolean;
};

/** Finds the person's free place without barred delegators: named, or their own in a quorum open to others. */
export const findSeat = (user: string, seats: readonly Seat[], { demands, quorum, earlier, isBarred }: Asked): Seat | undefined => {
  const taken = new Set(earlier.flatMap((one) => [one.user, whoCounts(one).id]));
  const free = seats.filter(({ for: chain }) => !chain.some(isBarred) && !taken.has(chain.at(-1) ?? user));
  const named = free.find(({ for: chain, groups }) => {
    const person = { id: chain.at(-1) ?? user, groups };

    return demands.some((demand) => isNamedBy(demand, person));
  });

  return named ?? (isOpenBeside({ demands, quorum }) ? free.find(({ for: chain }) => chain.length === 0) : undefined);
};

export const listDemandedGroups = (demands: readonly Demand[], groups: readonly string[]): string[] =>
  groups.filter((group) => demands.some((demand) => demand.groups.includes(group))).toSorted();

export const isSeated = ({ groups = [], for: chain = [] }: Taken, seats: readonly Seat[]): boolean =>
  seats.some((seat) => seat.for.join() === chain.join() && groups.every((group) => seat.groups.includes(group)));

/** Describes who is named: "Finance, Support or Ada". */
export const describeApprovers = (demands: readonly Approvers[], names: Readonly<Record<string, string>>): string => {
  const all = [
    ...new Set(demands.flatMap(({ groups, people }) => [...groups, ...people.map((id) => names[id] ?? "a person who is not a member")])),
  ];

  return all.length === 0 ? "no one" : [all.slice(0, -1).join(", "), all.at(-1)].filter(Boolean).join(" or ");
};

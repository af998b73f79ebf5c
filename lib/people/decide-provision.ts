import type { RunEvent } from "@/lib/engine/event";
import {
  MOST_CHANGED,
  MOST_DIRECTORY_GROUPS,
  MOST_GROUP_SIZE,
  type MemberChange,
  type ProvisionCommand,
} from "@/lib/people/provision-command";
import type { DirectoryGroup, ProvisionFold } from "@/lib/people/provision-fold";
import type { RefusalCode } from "@/lib/refusal";

type GroupCommand = Extract<ProvisionCommand, { kind: `provision_group_${string}` }>;
type GroupChanged = Extract<RunEvent, { type: "directory_group" }>;

export const changeMembers = (people: ReadonlySet<string>, changes: readonly MemberChange[]): ReadonlySet<string> => {
  let after = new Set(people);
  for (const { op, people: named } of changes) {
    if (op === "replace") after = new Set(named);
    else
      for (const user of named)
        if (op === "add") after.add(user);
        else after.delete(user);
  }

  return after;
};

const isNameTaken = ({ groups }: ProvisionFold, id: string, name: string): boolean =>
  [...groups].some(([other, group]) => other !== id && group.name.toLowerCase() === name.toLowerCase());

type Wanted = Pick<DirectoryGroup, "name" | "externalId" | "people">;

const wantedOf = (command: GroupCommand, before: DirectoryGroup | undefined): Wanted | RefusalCode | null => {
  if (command.kind === "provision_group_create") return before ? "step_refused" : { ...command, people: new Set(command.people) };
  if (!before) return "not_found";
  if (command.match !== undefined && command.match !== before.seq) return "group_changed";
  if (command.kind === "provision_group_delete") return null;
  const { name = before.name, externalId = before.externalId, members } = command;

  return { name, externalId, people: changeMembers(before.people, members) };
};

export const decideGroup = (command: GroupCommand, fold: ProvisionFold, isKnown: (user: string) => boolean): GroupChanged | RefusalCode => {
  const { group } = command;
  const before = fold.groups.get(group);
  const wanted = wantedOf(command, before);
  if (typeof wanted === "string") return wanted;
  const had = before?.people ?? new Set<string>();
  const people = wanted?.people ?? new Set<string>();
  const joins = [...people].filter((user) => !had.has(user)).toSorted();
  const leaves = [...had].filter((user) => !people.has(user)).toSorted();
  if (wanted && isNameTaken(fold, group, wanted.name)) return "group_name_taken";
  if (!before && fold.groups.size >= MOST_DIRECTORY_GROUPS) return "directory_limit";
  if (people.size > MOST_GROUP_SIZE || (wanted && joins.length + leaves.length > MOST_CHANGED)) return "directory_limit";
  if (!joins.every(isKnown)) return "directory_member_unknown";

  return { type: "directory_group", group, name: wanted?.name ?? null, external_id: wanted?.externalId ?? null, joins, leaves };
};

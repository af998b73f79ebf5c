import type { RunEvent } from "@/lib/engine/event";
import type { LedgerRecord } from "@/lib/engine/ledger/record";
import type { Principal } from "@/lib/engine/principal";
import { computeDirectoryDigest, listMappedGroups, makesAdmins, type Directory } from "@/lib/people/directory";
import { isAllowed } from "@/lib/roles";

export type DirectoryFold = {
  readonly inForce: { readonly directory: Directory; readonly seq: number } | null;
  /** Waits for a second admin. */
  readonly asked: { readonly directory: Directory; readonly by: string } | null;
  /** People whose last standing the mapping decided; false: taken. */
  readonly managed: ReadonlyMap<string, boolean>;
};

export const NO_DIRECTORY: DirectoryFold = { inForce: null, asked: null, managed: new Map() };

type EventOf<T extends RunEvent["type"]> = Extract<RunEvent, { type: T }>;
type Groups = ReadonlyMap<string, readonly string[]>;
type Folded = { readonly directory: DirectoryFold; readonly groups: Groups };

const isSecondPerson = (asked: DirectoryFold["asked"], by: Principal, directory: Directory): boolean =>
  by.type === "engine" ||
  (asked !== null &&
    by.type === "user" &&
    asked.by !== by.id &&
    computeDirectoryDigest(asked.directory) === computeDirectoryDigest(directory));

const foldChange = (fold: DirectoryFold, { principal, seq }: LedgerRecord, event: EventOf<"directory_changed">): DirectoryFold => {
  const isAdmin = principal.type === "engine" || (principal.type === "user" && isAllowed(principal.role, "people.manage"));
  if (!isAdmin) return fold;
  const { step, directory } = event;
  if (step === "declined") return { ...fold, asked: null };
  if (step === "asked") return directory && principal.type === "user" ? { ...fold, asked: { directory, by: principal.id } } : fold;
  if (directory && makesAdmins(directory) && !isSecondPerson(fold.asked, principal, directory)) return fold;

  return { ...fold, inForce: directory && { directory, seq }, asked: null };
};

const foldSync = (fold: Folded, { principal }: LedgerRecord, event: EventOf<"directory_synced">): Folded => {
  const { directory, groups } = fold;
  const { user, mapping, given, joins, leaves } = event;
  if (directory.inForce?.seq !== mapping || principal.type !== "engine") return fold;
  const mapped = listMappedGroups(directory.inForce.directory);
  const after = new Map(groups);
  for (const name of mapped) {
    const people = groups.get(name);
    if (!people) continue;
    if (joins.includes(name)) after.set(name, [...new Set([...people, user])].toSorted());
    else if (leaves.includes(name)) {
      after.set(
        name,
        people.filter((id) => id !== user),
      );
    }
  }

  return { directory: { ...directory, managed: new Map(directory.managed).set(user, given) }, groups: after };
};

/** An admin's change overrides the mapping's. */
const foldStanding = (fold: DirectoryFold, { control }: LedgerRecord, { subject }: EventOf<"admin_changed">): DirectoryFold => {
  const isSync = control.some((event) => event.type === "directory_synced" && event.user === subject);
  if (isSync || !fold.managed.has(subject)) return fold;
  const managed = new Map(fold.managed);
  managed.delete(subject);

  return { ...fold, managed };
};

export const foldDirectory = <T extends Folded>(fold: T, record: LedgerRecord, event: RunEvent): T => {
  if (event.type === "directory_changed") return { ...fold, directory: foldChange(fold.directory, record, event) };
  if (event.type === "directory_synced") return { ...fold, ...foldSync(fold, record, event) };
  if (event.type !== "admin_changed" || event.area !== "people" || (event.before === null && event.after === null)) return fold;

  return { ...fold, directory: foldStanding(fold.directory, record, event) };
};

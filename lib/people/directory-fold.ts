import type { RunEvent } from "@/lib/engine/event";
import type { LedgerRecord } from "@/lib/engine/ledger/record";
import type { Principal } from "@/lib/engine/principal";
import { computeDirectoryDigest, listMappedGroups, makesAdmins, type Directory } from "@/lib/people/directory";
import { foldAttempt, foldProvisionEvent, NO_PROVISION, type ProvisionFold } from "@/lib/people/provision-fold";
import { isAllowed } from "@/lib/roles";

export type DirectoryFold = {
  readonly inForce: { readonly directory: Directory; readonly seq: number } | null;
  /** Waits for a second admin. */
  readonly asked: { readonly directory: Directory; readonly by: string } | null;
  /** People whose last standing the mapping decided; false: taken. */
  readonly managed: ReadonlyMap<string, boolean>;
  readonly provision: ProvisionFold;
};

export const NO_DIRECTORY: DirectoryFold = { inForce: null, asked: null, managed: new Map(), provision: NO_PROVISION };

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

/** Without a mapping, SCIM only takes access; its records then name 0. */
export const applySync = (fold: Folded, event: EventOf<"directory_synced">): Folded => {
  const { directory, groups } = fold;
  const { inForce } = directory;
  const { user, mapping, given, joins, leaves } = event;
  if ((inForce?.seq ?? 0) !== mapping || (!inForce && given)) return fold;
  const mapped = inForce ? listMappedGroups(inForce.directory) : [];
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

const isSyncer = ({ provision }: DirectoryFold, { principal }: LedgerRecord): boolean =>
  principal.type === "engine" || (principal.type === "directory" && provision.tokens.has(principal.token));

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
  if (event.type === "directory_synced") return isSyncer(fold.directory, record) ? { ...fold, ...applySync(fold, event) } : fold;
  const provision = foldProvisionEvent(fold.directory.provision, record, event);
  if (provision !== fold.directory.provision) return { ...fold, directory: { ...fold.directory, provision } };
  if (event.type !== "admin_changed" || event.area !== "people" || (event.before === null && event.after === null)) return fold;

  return { ...fold, directory: foldStanding(fold.directory, record, event) };
};

export const foldDirectoryAttempt = <T extends Folded>(fold: T, record: LedgerRecord): T => {
  const provision = foldAttempt(fold.directory.provision, record);

  return provision === fold.directory.provision ? fold : { ...fold, directory: { ...fold.directory, provision } };
};

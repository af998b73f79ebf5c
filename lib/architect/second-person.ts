/** When one person is not enough to publish. */
import type { Authority } from "@/lib/architect/authority";
import { widens, type AuthorityChange } from "@/lib/architect/authority-diff";
import { grantedBy } from "@/lib/architect/rights";

/** Whether something can happen outside: a tool that changes something is called, or outside agents drive it. */
const actsOutside = (authority: Authority): boolean =>
  authority.some(
    ({ subject, facet, measure }) =>
      subject.type === "tool" || facet === "reached" || (facet === "outside_gives" && grantedBy(measure).length > 0),
  );

/**
 * A person's own first version is theirs to publish; a version over another one as long as it is not wider. What an
 * architect drew counts as widening from nothing as soon as it acts outside.
 * @param before what the newest version may do, or null when nothing was published
 */
export const needsSecondPerson = (
  before: Authority | null,
  after: Authority,
  changes: readonly AuthorityChange[],
  byArchitect: boolean,
): boolean => (before === null ? byArchitect && actsOutside(after) : widens(changes));

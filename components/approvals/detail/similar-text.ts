import { toVisibleText } from "@/components/values/visible-text";
import { count } from "@/lib/format";
import type { SimilarDecisions } from "@/components/approvals/types";

const timesText = (times: number): string => (times === 1 ? "once" : `${count(times)} times`);

/** `approved 14 times, twice with exactly these values, last by Rita Voss; rejected once`; empty without decisions. */
export const describeSimilar = ({
  approved,
  alike,
  rejected,
  decisions,
  people,
}: Pick<SimilarDecisions, "approved" | "alike" | "rejected" | "decisions" | "people">): string => {
  const last = decisions.find(({ status }) => status === "approved")?.deciders[0];
  const by = last === undefined ? "" : `, last by ${toVisibleText(people[last] ?? "a person")}`;

  const exactly = alike === 0 ? "" : `, ${alike === approved ? "each time" : timesText(alike)} with exactly these values`;

  return [
    ...(approved === 0 ? [] : [`approved ${timesText(approved)}${exactly}${by}`]),
    ...(rejected === 0 ? [] : [`rejected ${timesText(rejected)}`]),
  ].join("; ");
};

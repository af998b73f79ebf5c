import { toVisibleText } from "@/components/values/visible-text";
import { count } from "@/lib/format";
import type { SimilarDecisions } from "@/components/approvals/types";

const timesText = (times: number): string => (times === 1 ? "once" : `${count(times)} times`);

/** `approved 14 times, last by Rita Voss; rejected once`; empty without decisions. */
export const describeSimilar = ({
  approved,
  rejected,
  decisions,
  people,
}: Pick<SimilarDecisions, "approved" | "rejected" | "decisions" | "people">): string => {
  const last = decisions.find(({ status }) => status === "approved")?.deciders[0];
  const by = last === undefined ? "" : `, last by ${toVisibleText(people[last] ?? "a person")}`;

  return [
    ...(approved === 0 ? [] : [`approved ${timesText(approved)}${by}`]),
    ...(rejected === 0 ? [] : [`rejected ${timesText(rejected)}`]),
  ].join("; ");
};

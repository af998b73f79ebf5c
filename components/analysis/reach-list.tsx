import { Mark } from "@/components/ui/marks/mark";
import type { Reachable } from "@/lib/graph/analyse/blast";
import { describeGates, describeSink, type NameOf } from "@/lib/graph/analyse/labels";

type Props = { readonly reachable: readonly Reachable[]; readonly nameOf: NameOf };

export const ReachList = ({ reachable, nameOf }: Props) => (
  <ul className="flex flex-col gap-1.5 text-sm">
    {reachable.map((each, index) => (
      <li key={index} className="flex flex-col items-start gap-0.5">
        <span>{describeSink(each.sink, nameOf)}.</span>
        <Mark kind={each.gated ? "waiting" : "refused"} bare className="whitespace-normal">
          {describeGates(each, nameOf)}
        </Mark>
      </li>
    ))}
  </ul>
);

import { Callout } from "@/components/ui/callout";
import type { useEntering } from "./use-entering";

export const EntryProblem = ({ problem }: Pick<ReturnType<typeof useEntering>, "problem">) =>
  problem ? (
    <Callout kind="refused" alert title={problem.title}>
      {problem.advice}
    </Callout>
  ) : null;

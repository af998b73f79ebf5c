import Link from "next/link";
import { Callout } from "@/components/ui/callout";

export const TurnNote = ({ turn }: { readonly turn: readonly string[] }) =>
  turn.length === 0 ? null : (
    <Callout kind="waiting" title={`${turn.length} calls of one turn wait together`}>
      <Link href={`/approvals?together=${turn.join(",")}`} className="font-medium text-accent underline underline-offset-2">
        Review them together
      </Link>
      . Each still gets its own decision.
    </Callout>
  );
